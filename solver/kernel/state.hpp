// One moment of a turn, as far as the rest of the turn may depend on it.
//
// The same form serves two ends: the search plays on from it, and after `canonical` (what cannot matter any more is
// zero) its bytes are the key of the table. So everything is plain bytes without gaps, and what only adds to the value
// (points, activations) is not here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "bits.hpp"
#include "cards.hpp"
#include "marbles.hpp"

namespace gizmos {

// Reveals that nature owes, in the engine's words; the level of a deck is added to `refill` and `research`.
namespace owed {
inline constexpr std::uint8_t none = 0, row = 1, next = 2, draw = 3, refill = 4, research = 8;
}

// What a search is asked for: the value, or a bound that is cheaper to find.
enum Bound : std::uint8_t { EXACT = 0, LOWER = 1, UPPER = 2 };
inline constexpr std::uint8_t ANY_GONE = 255;
inline constexpr std::uint8_t BY_SET_GONE = 254;  // the values are by the set that lies at the bottom

inline constexpr int MAX_ORDERED = 16;
inline constexpr std::uint8_t NO_LIMIT = 255;

struct State {
    Bits ready;  // unused built gizmos that listen, and unused converters
    Bits archive;
    Bits display;
    Bits pool;  // cards whose place nobody knows
    Bits seen;  // the cards of a research

    Marbles ring;
    Marbles row;
    Marbles dispenser;

    std::array<std::uint8_t, MAX_KINDS> waiting;  // triggered gizmos by what they do

    std::uint16_t tokens;
    std::int16_t gain;  // points gained; only where a goal asks for them

    std::uint8_t ring_limit;
    std::int8_t archive_space;
    std::uint8_t research_amount;
    std::uint8_t discount_level_2;
    std::uint8_t discount_from_archive;
    std::uint8_t discount_from_research;
    std::uint8_t points_per_energy;
    std::uint8_t points_per_token;
    std::uint8_t can_file;
    std::uint8_t can_research;
    std::uint8_t built;    // how many; only where a goal asks
    std::uint8_t level_3;  // how many; only where a goal asks
    std::uint16_t goals;   // card goals met: bit i for the i-th
    std::uint8_t acted;    // the main action is chosen
    std::uint8_t ended;    // no effect will be used any more

    Effect pending;  // the effect being carried out, of `pending_left` picks or draws still to come
    std::uint8_t pending_left;
    std::uint8_t pending_started;
    std::uint8_t research_level;  // of the research in progress
    std::uint8_t next_used;       // how many of the marbles known to come next have entered the row
    std::uint8_t next_new;        // 1 + colour of a marble known to come next that became known in this turn
    std::uint8_t owed_runs;

    std::array<std::uint8_t, 4> owed_kind;
    std::array<std::uint8_t, 4> owed_count;

    // By level - 1. A deck is, from the top: the known top cards (not yet used up), unknown ones, `ordered` known ones
    // that may yet be reached, and cards below those.
    std::array<std::uint8_t, 3> shown;  // display cards, those that can't matter included
    std::array<std::uint8_t, 3> top_used;
    std::array<std::uint8_t, 3> unknown;
    std::array<std::uint8_t, 3> below;
    std::array<std::uint8_t, 3> ordered;
    std::uint8_t purse;                 // see `canonicalise`: 1 + the most that can be paid in any mixture; 0: no purse
    // Bounds instead of values (research.cpp): which one is asked for, and how many cards of each pool are gone of which
    // it is not said which ones; ANY_GONE if even returned cards may be among those seen next.
    std::uint8_t bound;
    std::array<std::uint8_t, 3> vague;
    std::uint8_t reserve;  // of a relaxed or counted state (relax.cpp); 0: neither
    std::array<std::array<std::uint8_t, MAX_ORDERED>, 3> order;

    [[nodiscard]] int room() const { return ring_limit - ring.total(); }
};

static_assert(std::has_unique_object_representations_v<State>);
static_assert(sizeof(State) % 8 == 0);

// 128 bits that stand for a state: two different states of a search share them with a probability below 1e-20.
struct Signature {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Signature&) const = default;
};

// True if it is said which cards are gone, or values are by that.
[[nodiscard]] inline bool nothing_vague(const State& state) {
    return std::all_of(state.vague.begin(), state.vague.end(),
                       [](std::uint8_t vague) { return vague == 0 || vague == BY_SET_GONE; });
}

// True if values depend on the set that lies at the bottom of a deck.
[[nodiscard]] inline bool by_set(const State& state) {
    return std::find(state.vague.begin(), state.vague.end(), BY_SET_GONE) != state.vague.end();
}

[[nodiscard]] Signature signature(const State& state);
// Of whatever these two words add to what a signature stands for.
[[nodiscard]] Signature mixed(const Signature& context, std::uint64_t first, std::uint64_t second);

}  // namespace gizmos
