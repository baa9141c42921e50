// Relaxed states: upper bounds without colours and reveals of marbles (see relax.cpp).
#pragma once

#include "closure.hpp"
#include "purse.hpp"
#include "state.hpp"

namespace gizmos {

[[nodiscard]] bool can_relax(const State& state);
// The relaxation of a state: whatever can be had from the state can be had from it.
[[nodiscard]] State relaxed(const State& state);

// The state if no marble will be picked or drawn any more: whatever can be had from it can be had from the state.
[[nodiscard]] State pinched(const State& state);

// The state if marbles that come pay nothing, but count at the end (`next_used` of them, as yet none); those in the ring
// have colours. In `base` no pick or draw waits. Picks to come, and so many others, are left for the end, when each takes a
// marble of one of the row's colours (a mask) and triggers what listens to it. No colours: picks trigger nothing.
[[nodiscard]] State counted(const State& base, unsigned row_colors, int picks);
// That of any state, with all that waits to be picked or drawn.
[[nodiscard]] State counted_all(const State& state, unsigned row_colors, Bound bound);
// True for a counted state in which picks look into the row.
[[nodiscard]] bool looks_into_row(const State& state);
// True for a relaxed state, in which what can be paid is in the purse, not for a counted one.
[[nodiscard]] bool pays_relaxed(const State& state);
// True for that, and if it has got a purse since: then its value is but an upper bound.
[[nodiscard]] bool was_relaxed(const State& state);
// The state has got a purse.
void mark_purse(State& state);

// For relaxed and counted states: picks and draws that wait bring their marbles.
void absorb(State& state);
// For a relaxed state, and one with a purse: the most that it can pay in a colour, or in any mixture.
[[nodiscard]] int can_pay(const State& state, unsigned colors);
[[nodiscard]] Means means_of(const State& state);
// So much is paid of a colour.
void pay_relaxed(State& state, int price, unsigned colors);
// A gizmo just built may be a converter: from now on everything can be paid in any colour.
void convert_relaxed(State& state, int built);

// True for a relaxed or counted state in which gizmos that listen to picks are triggered by one that has come already.
[[nodiscard]] bool hears_picks(const State& state);

[[nodiscard]] inline Marbles of_color(int color, int count) { return {static_cast<std::uint32_t>(count) << (8 * color)}; }
// Of marbles whose colour does not matter only the number is kept.
[[nodiscard]] inline Marbles of_any_color(int count) { return of_color(0, count); }

// For all states: the marbles in the ring, and those of a relaxed state for which it has no room yet.
[[nodiscard]] int marbles_left(const State& state);
[[nodiscard]] int marbles_waiting(const State& state);

}  // namespace gizmos
