// Relaxed states: upper bounds without colours and reveals of marbles (see relax.cpp).
#pragma once

#include "closure.hpp"
#include "purse.hpp"
#include "state.hpp"

namespace gizmos {

[[nodiscard]] bool can_relax(const State& state);
// The relaxation of a state: whatever can be had from the state can be had from it.
[[nodiscard]] State relaxed(const State& state, Purse& purse);

// The state if no marble will be picked or drawn any more: whatever can be had from it can be had from the state.
[[nodiscard]] State pinched(const State& state);

// A relaxed state in which picks trigger nothing, and an effect under way is given up. Where nothing is to be paid any more
// and enough marbles are there, it is a lower bound, and as cheap as the upper one.
[[nodiscard]] State unheard(const State& relaxed);

// A relaxed state in which, moreover, marbles that come pay nothing, but count at the end. Where a single paid build is left
// and enough marbles are there, it is a lower bound, too.
[[nodiscard]] State late(const State& relaxed);

// Which picks trigger gizmos in what follows: none; those of effects yet to come; any, as if one were still to come;
// or those of effects yet to come that find the colour in the row, of which only the colours it holds are kept.
enum Heard : std::uint8_t { nothing_heard = 0, new_picks = 1, all_picks = 2, in_row = 3 };
// The state if marbles that come pay nothing, but count at the end (`next_used` of them, as yet none); those in the ring
// have colours. In `base` no pick or draw waits. `row_colors`: a mask, for `in_row`.
[[nodiscard]] State counted(const State& base, Heard heard, unsigned row_colors);
// True for a counted state in which picks look into the row.
[[nodiscard]] bool looks_into_row(const State& state);
// True for a relaxed state, in which what can be paid is in the purse, not for a counted one.
[[nodiscard]] bool pays_relaxed(const State& state);

// For relaxed and counted states: picks and draws that wait bring their marbles.
void absorb(State& state);
// So much is paid.
void pay_relaxed(State& state, int price);
// A gizmo just built may be a converter: from now on everything can be paid in any colour.
void convert_relaxed(State& state, int built);

// True for a relaxed state in which gizmos that listen to picks are triggered as soon as they are there.
[[nodiscard]] bool hears_picks(const State& state);
// True for a relaxed state in which a marble that comes may be doubled.
[[nodiscard]] bool doubles_marbles(const State& state);

// For all states: the marbles in the ring, and those of a relaxed state for which it has no room yet.
[[nodiscard]] int marbles_left(const State& state);
[[nodiscard]] int marbles_waiting(const State& state);

}  // namespace gizmos
