// A relaxation: an upper bound on a state's value that is cheap, since no marble has a colour in it.
//
// A relaxed state knows how much the ring can pay in each colour as it stands (`ring`), how many marbles that are in all
// (`purse` - 1, doubled ones counted twice), how many of these are there only if some are paid (`next_new`), and how many
// more have come for which the ring has no room (`next_used`).
// Marbles that come are of whatever colour is needed, a payment lessens what can be paid in any colour only as far as the
// marbles become too few, and no reveal of a marble is left. So all that is left to search is which cards come when.
#include <algorithm>

#include "cards.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

// Flags of `reserve`, which is 0 for other states.
constexpr unsigned RELAXED = 1;
constexpr unsigned DOUBLES = 2;  // a marble that comes may be doubled
constexpr unsigned PICKED = 4;   // a gizmo that listens to picks is triggered as soon as it is there
constexpr unsigned UNHEARD = 8;  // picks trigger nothing
constexpr unsigned LATE = 16;    // marbles that come count at the end, but pay nothing
constexpr unsigned COUNTED = 32;  // the ring is as it is, with its colours (never with RELAXED)
// Picks that have come and triggered nothing yet (`next_new` of them) trigger what listens to a colour of the row.
constexpr unsigned IN_ROW = 64;

bool has(const State& state, unsigned flag) { return (state.reserve & flag) != 0; }

void set(State& state, unsigned flag) { state.reserve = static_cast<std::uint8_t>(state.reserve | flag); }

// Marbles enter the ring as far as there is room.
void fill(State& state) {
    const int marbles = state.purse - 1;
    const int left = state.next_used;
    const int room = state.ring_limit == NO_LIMIT ? left : std::max(0, state.ring_limit - marbles);
    const int come = std::min(left, room);
    if (come == 0) {
        return;
    }
    const bool doubled = has(state, DOUBLES);
    state.purse = static_cast<std::uint8_t>(state.purse + come);
    Marbles most;
    for (int color = 0; color < COLORS; ++color) {
        const int can_pay = std::min(state.ring[color] + (doubled ? 2 : 1) * come, std::min(marbles + come, HIGHEST_COST));
        most += {static_cast<std::uint32_t>(can_pay) << (8 * color)};
    }
    state.ring = most;
    state.next_used = static_cast<std::uint8_t>(left - come);
}

// Each pick that has triggered nothing yet takes a marble of the row that triggers something. Returns how many marbles
// come of it.
int trigger_in_row(State& state) {
    int come = 0;
    for (const int gizmo : each(state.ready & cards().on_pick())) {
        for (int color = 0; color < COLORS && state.next_new > 0; ++color) {
            if (state.row[color] > 0 && cards().on_pick(color).has(gizmo)) {
                --state.next_new;
                state.ready.remove(gizmo);
                come += cards()[gizmo].amount;
                break;
            }
        }
    }
    return come;
}

}  // namespace

bool can_relax(const State& state) { return state.reserve == 0 && state.purse == 0 && state.ended == 0; }

State relaxed(const State& state, Purse& purse) {
    State result = state;
    const Bits converters = state.ready & cards().converters();
    const Means& means = purse.means(state.ring, converters);
    const int doubles = Purse::doubles(converters);
    int come = 0;
    std::uint8_t kept = 0;
    for (std::size_t i = 0; i < state.owed_runs; ++i) {
        const std::uint8_t kind = state.owed_kind[i];
        come += kind == owed::draw ? state.owed_count[i] : 0;
        if (kind >= owed::refill) {
            result.owed_kind[kept] = kind;
            result.owed_count[kept] = state.owed_count[i];
            ++kept;
        }
    }
    result.owed_runs = kept;
    for (std::size_t i = kept; i < result.owed_kind.size(); ++i) {
        result.owed_kind[i] = result.owed_count[i] = 0;
    }
    result.purse = static_cast<std::uint8_t>(1 + state.ring.total() + doubles);
    result.ring = result.row = result.dispenser = Marbles{};
    for (int color = 0; color < COLORS; ++color) {
        result.ring += {static_cast<std::uint32_t>(means[static_cast<std::size_t>(color)]) << (8 * color)};
    }
    result.ready &= ~converters;
    result.next_used = static_cast<std::uint8_t>(come);
    result.next_new = static_cast<std::uint8_t>(doubles);
    if (state.ring_limit != NO_LIMIT) {
        result.ring_limit = static_cast<std::uint8_t>(state.ring_limit + doubles);
    }
    result.reserve = static_cast<std::uint8_t>(RELAXED | (doubles > 0 ? DOUBLES : 0U));
    result.bound = UPPER;
    return result;
}

State counted(const State& base, Heard heard, unsigned row_colors) {
    static constexpr std::array<unsigned, 4> flags{UNHEARD, 0, PICKED, IN_ROW};
    State result = base;
    result.reserve = static_cast<std::uint8_t>(COUNTED | LATE | flags[heard]);
    for (int color = 0; color < COLORS; ++color) {
        result.row += (row_colors >> color & 1U) != 0 ? Marbles::one(color) : Marbles{};
    }
    return result;
}

bool looks_into_row(const State& state) { return has(state, IN_ROW); }

bool pays_relaxed(const State& state) { return has(state, RELAXED); }

State pinched(const State& state) {
    State result = state;
    drop(result, Effect::pick);
    drop(result, Effect::draw);
    result.ready &= ~(cards().with(Effect::pick) | cards().with(Effect::draw));
    result.row = result.dispenser = Marbles{};
    result.next_used = result.next_new = 0;
    result.bound = LOWER;
    return result;
}

State unheard(const State& state) {
    State result = state;
    result.pending = Effect::none;
    result.pending_left = result.pending_started = 0;
    result.ready &= ~cards().on_pick();
    set(result, UNHEARD);
    result.bound = LOWER;
    return result;
}

State late(const State& relaxed) {
    State result = unheard(relaxed);
    // The ring's own limit: doubled marbles are no part of what counts.
    if (result.ring_limit != NO_LIMIT) {
        result.ring_limit = static_cast<std::uint8_t>(result.ring_limit - result.next_new);
    }
    set(result, LATE);
    return result;
}

void absorb(State& state) {
    const int picks = steps(state, Effect::pick);
    int come = picks + steps(state, Effect::draw);
    if (come > 0) {
        drop(state, Effect::pick);
        drop(state, Effect::draw);
    }
    if (has(state, IN_ROW)) {
        state.next_new = static_cast<std::uint8_t>(state.next_new + picks);
        come += trigger_in_row(state);
    } else if (picks > 0) {
        set(state, PICKED);
    }
    if (hears_picks(state) && !has(state, IN_ROW)) {
        const Bits hit = state.ready & cards().on_pick();
        state.ready &= ~hit;
        for (const int gizmo : each(hit)) {
            come += cards()[gizmo].amount;
        }
    }
    state.next_used = static_cast<std::uint8_t>(state.next_used + come);
    if (!has(state, LATE)) {
        fill(state);
    }
}

void pay_relaxed(State& state, int price) {
    state.purse = static_cast<std::uint8_t>(state.purse - price);
    if (!has(state, LATE)) {
        state.next_new = static_cast<std::uint8_t>(std::max(0, state.next_new - price));
    }
    Marbles most;
    for (int color = 0; color < COLORS; ++color) {
        most += {static_cast<std::uint32_t>(std::min(state.ring[color], state.purse - 1)) << (8 * color)};
    }
    state.ring = most;
}

void convert_relaxed(State& state, int built) {
    const Card& card = cards()[built];
    if (card.convert_to == Conversion::none) {
        return;
    }
    state.ready.remove(built);
    if (has(state, UNHEARD)) {
        return;  // nothing is paid any more
    }
    if (card.convert_to == Conversion::twice) {
        const int doubles = std::popcount(card.convert_from);
        state.purse = static_cast<std::uint8_t>(state.purse + doubles);
        state.next_new = static_cast<std::uint8_t>(state.next_new + doubles);
        if (state.ring_limit != NO_LIMIT) {
            state.ring_limit = static_cast<std::uint8_t>(state.ring_limit + doubles);
        }
        set(state, DOUBLES);
    }
    const int most = std::min(state.purse - 1, HIGHEST_COST);
    state.ring = {};
    for (int color = 0; color < COLORS; ++color) {
        state.ring += {static_cast<std::uint32_t>(most) << (8 * color)};
    }
}

bool hears_picks(const State& state) {
    return has(state, IN_ROW) ? state.next_new > 0 : has(state, PICKED) && !has(state, UNHEARD);
}

bool doubles_marbles(const State& state) { return has(state, DOUBLES); }

int marbles_left(const State& state) {
    if (state.reserve == 0) {
        return state.ring.total();
    }
    if (has(state, COUNTED)) {
        return std::min(state.ring.total() + state.next_used, static_cast<int>(state.ring_limit));
    }
    const int left = std::max(0, state.purse - 1 - state.next_new);
    return has(state, LATE) ? std::min(left + state.next_used, static_cast<int>(state.ring_limit)) : left;
}

int marbles_waiting(const State& state) { return state.reserve == 0 ? 0 : state.next_used; }

}  // namespace gizmos
