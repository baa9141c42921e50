// A relaxation: an upper bound on a state's value that is cheap, since no marble has a colour in it.
//
// A relaxed state knows the marbles that pay their own colour only (`ring`) and those that pay any (`dispenser`), how many
// marbles that are in all (`purse` - 1, never more than both together; doubled ones are counted twice), how many of these
// are there only if some are paid (`next_new`), and how many more have come for which the ring has no room (`next_used`).
// Marbles that come pay any colour, and so do those that a converter can change; a doubler has doubled a marble of its
// colour. No reveal of a marble is left. So all that is left to search is which cards come when.
//
// A counted state keeps the ring as it is. Marbles that come pay nothing, but count at the end (`next_used`), and picks are
// left for the end, too. Where enough marbles are there that is a lower bound, and once nothing is to be paid any more it
// is an upper one, if the row has all colours.
#include <algorithm>
#include <bit>

#include "cards.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

// Flags of `reserve`, which is 0 for other states.
constexpr unsigned RELAXED = 1;
constexpr unsigned PICKED = 2;   // a gizmo that listens to picks is triggered as soon as it is there
constexpr unsigned COUNTED = 4;  // the ring is as it is, with its colours (never with RELAXED)
// Picks (`next_new` of them) are left for the end, when each triggers what listens to some colour of the row.
constexpr unsigned IN_ROW = 8;

constexpr unsigned PURSED = 16;  // it was relaxed, and what it can pay is in a purse like any other's

bool has(const State& state, unsigned flag) { return (state.reserve & flag) != 0; }

void set(State& state, unsigned flag) { state.reserve = static_cast<std::uint8_t>(state.reserve | flag); }

// What the ring can pay once each converter has been used: a doubler has added a marble of its colour, even where there is
// none yet, and marbles that a converter can change pay any colour.
void convert_ring(State& state, Bits converters) {
    Marbles ring = state.ring;
    for (const int index : each(converters)) {
        const Card& card = cards()[index];
        for (int color = 0; color < COLORS && card.convert_to == Conversion::twice; ++color) {
            ring += of_color(color, static_cast<int>(card.convert_from >> color & 1U));
        }
    }
    int any = 0;
    for (const int index : each(converters)) {
        const Card& card = cards()[index];
        if (card.convert_to == Conversion::twice) {
            continue;
        }
        if (std::has_single_bit(card.convert_from)) {
            const int color = std::countr_zero(card.convert_from);
            const int changed = std::min(card.convert_uses, ring[color]);
            ring -= of_color(color, changed);
            any += changed;
        } else {
            any += card.convert_uses;  // of whichever colour
        }
    }
    state.ring = ring;
    state.dispenser = of_any_color(any);
}

// Marbles enter the ring as far as there is room.
void fill(State& state) {
    const int marbles = state.purse - 1;
    const int left = state.next_used;
    const int room = state.ring_limit == NO_LIMIT ? left : std::max(0, state.ring_limit - marbles);
    const int come = std::min(left, room);
    if (come == 0) {
        return;
    }
    state.purse = static_cast<std::uint8_t>(state.purse + come);
    state.dispenser += of_any_color(come);
    state.next_used = static_cast<std::uint8_t>(left - come);
}

// Of an effect under way that moves marbles, only as many steps are left as there is room for: nothing else can come
// before them. So many marbles have been drawn already.
void limit_to_room(State& state, int drawn) {
    if (state.pending != Effect::pick && state.pending != Effect::draw) {
        return;
    }
    const int room = state.ring_limit == NO_LIMIT ? HIGHEST_COST : std::max(0, state.room() - drawn);
    state.pending_left = static_cast<std::uint8_t>(std::min<int>(state.pending_left, room));
}

// No marble is owed any more. Returns how many draws were.
int forgive_marbles(State& state) {
    int draws = 0;
    std::uint8_t kept = 0;
    for (std::size_t i = 0; i < state.owed_runs; ++i) {
        const std::uint8_t kind = state.owed_kind[i];
        const std::uint8_t count = state.owed_count[i];
        draws += kind == owed::draw ? count : 0;
        if (kind >= owed::refill) {
            state.owed_kind[kept] = kind;
            state.owed_count[kept] = count;
            ++kept;
        }
    }
    state.owed_runs = kept;
    for (std::size_t i = kept; i < state.owed_kind.size(); ++i) {
        state.owed_kind[i] = state.owed_count[i] = 0;
    }
    return draws;
}

// The most marbles that picks of so many colours of the row bring by what they trigger.
int triggered_in_row(const State& state) {
    int best = 0;
    const Bits listening = state.ready & cards().on_pick();
    if (!listening.any() || state.next_new == 0) {
        return 0;
    }
    for (unsigned colors = 1; colors <= ANY_COLOR; ++colors) {
        if (std::popcount(colors) > state.next_new) {
            continue;
        }
        Bits hit;
        for (int color = 0; color < COLORS; ++color) {
            hit |= (colors >> color & 1U) != 0 && state.row[color] > 0 ? listening & cards().on_pick(color) : Bits{};
        }
        int come = 0;
        for (const int gizmo : each(hit)) {
            come += cards()[gizmo].amount;
        }
        best = std::max(best, come);
    }
    return best;
}

}  // namespace

bool can_relax(const State& state) { return state.reserve == 0 && state.purse == 0 && state.ended == 0; }

State relaxed(const State& state) {
    State result = state;
    const Bits converters = state.ready & cards().converters();
    const int doubles = Purse::doubles(converters);
    const int come = forgive_marbles(result);
    limit_to_room(result, come);
    result.purse = static_cast<std::uint8_t>(1 + state.ring.total() + doubles);
    result.row = result.dispenser = Marbles{};
    convert_ring(result, converters);
    result.ready &= ~converters;
    result.next_used = static_cast<std::uint8_t>(come);
    result.next_new = static_cast<std::uint8_t>(doubles);
    if (state.ring_limit != NO_LIMIT) {
        result.ring_limit = static_cast<std::uint8_t>(state.ring_limit + doubles);
    }
    result.reserve = RELAXED;
    result.bound = UPPER;
    return result;
}

State counted(const State& base, unsigned row_colors, int picks) {
    State result = base;
    result.reserve = static_cast<std::uint8_t>(COUNTED | (row_colors == 0 ? 0U : IN_ROW));
    result.next_new = static_cast<std::uint8_t>(row_colors == 0 ? 0 : std::min(picks, COLORS));
    for (int color = 0; color < COLORS; ++color) {
        result.row += (row_colors >> color & 1U) != 0 ? Marbles::one(color) : Marbles{};
    }
    return result;
}

bool looks_into_row(const State& state) { return has(state, IN_ROW); }

bool pays_relaxed(const State& state) { return has(state, RELAXED); }

bool was_relaxed(const State& state) { return has(state, RELAXED) || has(state, PURSED); }

void mark_purse(State& state) { state.reserve = static_cast<std::uint8_t>(was_relaxed(state) ? PURSED : 0U); }

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

State counted_all(const State& state, unsigned row_colors, Bound bound) {
    State base = state;
    const int owed = forgive_marbles(base);
    limit_to_room(base, owed);
    const int picks = steps(base, Effect::pick);
    const int draws = steps(base, Effect::draw) + owed;
    drop(base, Effect::pick);
    drop(base, Effect::draw);
    base.row = base.dispenser = Marbles{};
    base.next_used = base.next_new = 0;
    State result = counted(base, row_colors, picks);
    result.next_used = static_cast<std::uint8_t>(picks + draws);
    result.bound = bound;
    return result;
}

void absorb(State& state) {
    const int picks = steps(state, Effect::pick);
    int come = picks + steps(state, Effect::draw);
    if (come > 0) {
        drop(state, Effect::pick);
        drop(state, Effect::draw);
    }
    if (has(state, PURSED)) {
        return;
    }
    if (has(state, COUNTED)) {
        state.next_used = static_cast<std::uint8_t>(state.next_used + come);
        if (has(state, IN_ROW)) {
            state.next_new = static_cast<std::uint8_t>(std::min(state.next_new + picks, COLORS));
        }
        return;
    }
    if (picks > 0) {
        set(state, PICKED);
    }
    if (has(state, PICKED)) {
        const Bits hit = state.ready & cards().on_pick();
        state.ready &= ~hit;
        for (const int gizmo : each(hit)) {
            come += cards()[gizmo].amount;
        }
    }
    state.next_used = static_cast<std::uint8_t>(state.next_used + come);
    fill(state);
}

int can_pay(const State& state, unsigned colors) {
    const int all = state.purse - 1;
    if (colors == ANY_COLOR) {
        return all;
    }
    const int own = state.ring[std::countr_zero(colors)];
    return pays_relaxed(state) ? std::min(all, own + state.dispenser.total()) : own;
}

Means means_of(const State& state) {
    Means means{};
    for (int color = 0; color < COLORS; ++color) {
        means[static_cast<std::size_t>(color)] = static_cast<std::uint8_t>(can_pay(state, 1U << color));
    }
    means[COLORS] = static_cast<std::uint8_t>(can_pay(state, ANY_COLOR));
    return means;
}

void pay_relaxed(State& state, int price, unsigned colors) {
    const int left = state.purse - 1 - price;
    state.purse = static_cast<std::uint8_t>(1 + left);
    state.next_new = static_cast<std::uint8_t>(std::max(0, state.next_new - price));
    if (colors == ANY_COLOR) {
        // Whichever marbles it takes, those left are no better.
        state.ring = Marbles{};
        state.dispenser = of_any_color(left);
        return;
    }
    // A marble that pays any colour is never worse than one that pays its own.
    const int paid = std::countr_zero(colors);
    const int own = std::min(price, state.ring[paid]);
    state.dispenser = of_any_color(std::min(left, state.dispenser.total() - (price - own)));
    Marbles ring;
    for (int color = 0; color < COLORS; ++color) {
        ring += of_color(color, std::min(left, state.ring[color] - (color == paid ? own : 0)));
    }
    state.ring = ring;
}

void convert_relaxed(State& state, int built) {
    const Card& card = cards()[built];
    if (card.convert_to == Conversion::none) {
        return;
    }
    state.ready.remove(built);
    if (card.convert_to == Conversion::twice) {
        const int doubles = std::popcount(card.convert_from);
        state.purse = static_cast<std::uint8_t>(state.purse + doubles);
        state.next_new = static_cast<std::uint8_t>(state.next_new + doubles);
        if (state.ring_limit != NO_LIMIT) {
            state.ring_limit = static_cast<std::uint8_t>(state.ring_limit + doubles);
        }
    }
    state.ring = Marbles{};
    state.dispenser = of_any_color(state.purse - 1);
}

bool hears_picks(const State& state) {
    return has(state, PICKED) || (has(state, IN_ROW) && state.next_new > 0);
}

int marbles_left(const State& state) {
    if (state.reserve == 0) {
        return state.ring.total();
    }
    if (has(state, COUNTED)) {
        const int triggered = has(state, IN_ROW) ? triggered_in_row(state) : 0;
        return std::min(state.ring.total() + state.next_used + triggered, static_cast<int>(state.ring_limit));
    }
    return std::max(0, state.purse - 1 - state.next_new);
}

int marbles_waiting(const State& state) { return state.reserve == 0 ? 0 : state.next_used; }

}  // namespace gizmos
