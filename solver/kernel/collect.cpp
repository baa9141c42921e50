// Collecting: the last paid build of the turn is a research that waits, and until it nothing is left but picks and draws.
//
// Most states of a turn with a strong engine are of this kind, so they are searched apart, by their marbles only. As more
// marbles are never worse here (none counts after that build), the research is begun when the ring is full or nothing
// is left to collect, and draws are taken at once where they compete with nothing for room. What the research is worth
// with the ring as it is, and with the missing marbles in any colours, encloses the value; mostly the two meet soon.
#include <algorithm>
#include <array>
#include <cstring>

#include "cards.hpp"
#include "search.hpp"

namespace gizmos {

namespace {

bool moves_marbles(Effect effect) { return effect == Effect::pick || effect == Effect::draw; }

constexpr int MOST_PACKED = 31;

// The marbles of a state and what will move them, in two words.
std::array<std::uint64_t, 2> packed(const State& state) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    for (int color = 0; color < COLORS; ++color) {
        first = first << 5U | static_cast<unsigned>(state.ring[color]);
        first = first << 4U | static_cast<unsigned>(state.dispenser[color]);
        first = first << 3U | static_cast<unsigned>(state.row[color]);
    }
    first = first << 8U | static_cast<unsigned>(state.pending) << 4U | state.pending_left << 1U | state.pending_started;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (moves_marbles(cards().kind(kind).effect)) {
            second = second << 5U | state.waiting[static_cast<std::size_t>(kind)];
        }
    }
    second = second << 6U | state.next_used;
    second = second << 3U | state.next_new;
    for (const int gizmo : each(cards().on_pick())) {
        second = second << 1U | (state.ready.has(gizmo) ? 1U : 0U);
    }
    return {first, second};
}

}  // namespace

// What the states of one collection have in common.
template <int Terms>
struct Search<Terms>::Collection {
    State base;  // all but the marbles and what moves them
    Signature context;
    // A card that the research may find and that makes marbles worth points, and what can follow its build.
    int marble_card = -1;
    int least_spent = 0;  // marbles
    int worth_each = 0;   // points for a marble
    int points_beside = 0;
    int more_storage = 0;
    int picks_after = 0;
    int draws_after = 0;
    bool listening_after = false;  // to picks
};

template <int Terms>
bool Search<Terms>::collecting(const State& state, const Closure& can) const {
    const Needs& needs = problem_.needs;
    if (can.main || can.deciding || can.researches != 1 || state.owed_runs != 0 || state.purse != 0 || needs.marbles ||
        needs.ring_colors != 0 || needs.activations || (needs.score && state.points_per_energy > 0) ||
        !only_waiting(state, {Effect::pick, Effect::draw, Effect::research})) {
        return false;
    }
    if (marble_cards(problem_, state, can).any()) {
        return Terms == 1 && problem_.terms[0].measure == Measure::score;
    }
    return steps(state, Effect::pick) + steps(state, Effect::draw) > 0;
}

template <int Terms>
Value<Terms> Search<Terms>::collect(State state, const Closure& can) {
    Collection all{.base = state};
    State& base = all.base;
    drop(base, Effect::pick);
    drop(base, Effect::draw);
    base.ring = base.row = base.dispenser = Marbles{};
    base.next_used = base.next_new = 0;
    base.ring_limit = NO_LIMIT;
    const Bits marble_makers = marble_cards(problem_, state, can);
    if (marble_makers.any()) {
        look_beyond(marble_makers.first(), all);
    } else {
        base.ready &= ~(cards().with(Effect::pick) | cards().with(Effect::draw));
        const int listeners = (state.ready & cards().on_pick()).count();
        if (state.room() >= steps(state, Effect::pick) + steps(state, Effect::draw) + listeners) {
            state.ring_limit = NO_LIMIT;
        }
    }
    State named = base;
    named.ring_limit = state.ring_limit;
    all.context = signature(named);
    return gather(state, all);
}

// What can follow the build of a card that makes marbles worth points.
template <int Terms>
void Search<Terms>::look_beyond(int marble_card, Collection& all) {
    const Card& card = cards()[marble_card];
    all.marble_card = marble_card;
    all.least_spent = std::max(0, Moves::least_price(all.base, card, Source::research) -
                                      Purse::doubles(all.base.ready & cards().converters()));
    State built = all.base;
    begin_research(built, card.level);
    built.owed_runs = 0;
    built.owed_kind = built.owed_count = {};
    Gain gain;
    moves_.build(built, marble_card, Source::research, {}, gain);
    moves_.return_seen(built);
    const Closure then = closure(problem_, built, purse_);
    all.worth_each = built.points_per_energy;
    all.points_beside = gain.score + points_beside(built, then);
    all.more_storage = 2 * then.builds();
    all.picks_after = then.picks;
    all.draws_after = then.draws;
    all.listening_after = ((built.ready | then.made) & cards().on_pick()).any();
}

// The most points to come from effects and free builds, those for marbles left aside.
template <int Terms>
int Search<Terms>::points_beside(const State& state, const Closure& can) {
    int tokens = steps(state, Effect::points);
    for (const int gizmo : each(can.coming & cards().with(Effect::points))) {
        tokens += cards()[gizmo].amount;
    }
    int of_new = 0;
    for (const int gizmo : each(can.made & cards().with(Effect::points))) {
        of_new = std::max(of_new, cards()[gizmo].amount);
    }
    int built = 0;
    for (const int card : each(cards().level(1))) {
        built = std::max(built, cards()[card].points);
    }
    return (tokens + can.builds() * of_new) * (1 + state.points_per_token) + can.frees * built;
}

template <int Terms>
Value<Terms> Search<Terms>::gather(const State& state, const Collection& all) {
    const int picks = steps(state, Effect::pick);
    const int draws = steps(state, Effect::draw);
    const int room = state.room();
    const int there = state.dispenser.total();
    if (room <= 0 || (picks == 0 && (draws == 0 || there == 0))) {
        return leave(state, all);
    }
    const bool plain = all.marble_card < 0;
    const int incoming = picks + draws + (picks == 0 ? 0 : (state.ready & cards().on_pick()).count());
    const int in_all = incoming + all.picks_after + all.draws_after;
    // Marbles spent on a marble card enter the row again, where it may count who picks what: such picks may be left for
    // later.
    const bool colors_come_back = all.listening_after && picks + all.picks_after > 1;
    const bool ample = there > in_all + 2 && room >= in_all && !colors_come_back;
    if (plain && picks == 0) {
        return draw_all(state, std::min({room, draws, there}), all);
    }
    const auto [first, second] = packed(state);
    const Signature key = mixed(all.context, first, second);
    Worths best;
    if (table_.find(key, best)) {
        ++counters_.known;
        return best;
    }
    ++counters_.states;
    pulse_.beat();
    const int more = std::min(incoming, room);
    const Worths marble_worth = most_for_marbles(state, incoming, all);
    const Worths high = research_with(state.ring, more, marble_worth, all);
    Worths no_marbles;
    no_marbles.fill(NOTHING);
    best = research_with(state.ring, 0, no_marbles, all);
    if (!better<Terms>(high, best)) {
        ++counters_.collections_cut;
    } else if (ample && draws > 0 && state.pending != Effect::pick) {
        improve<Terms>(best, draw_all(state, draws, all));
    } else {
        if (state.pending != Effect::none) {
            gather_more(state, state.pending, more, marble_worth, all, best);
            if (state.pending_started != 0 && better<Terms>(high, best)) {
                State next = state;
                moves_.skip(next);
                improve<Terms>(best, gather(next, all));
            }
        } else {
            for (int kind = 0; kind < cards().kinds() && better<Terms>(high, best); ++kind) {
                if (state.waiting[static_cast<std::size_t>(kind)] > 0 && moves_marbles(cards().kind(kind).effect)) {
                    State begun = state;
                    Gain gain;
                    moves_.begin(begun, kind, gain);
                    gather_more(begun, begun.pending, more, marble_worth, all, best);
                }
            }
        }
        // Only a marble card may be a reason to leave something for later.
        if (!plain && !ample && (state.pending == Effect::none || state.pending_started != 0) &&
            better<Terms>(research_with(state.ring, 0, marble_worth, all), best)) {
            improve<Terms>(best, leave(state, all));
        }
    }
    table_.store(key, best);
    return best;
}

// The best of picking each colour, or of a draw. `more` marbles at most can still come.
template <int Terms>
void Search<Terms>::gather_more(const State& state, Effect effect, int more, const Worths& marble_worth,
                                const Collection& all, Worths& best) {
    if (effect == Effect::draw) {
        if (state.dispenser.total() > 0) {
            State next = state;
            moves_.draw(next);
            Moves::pay_owed(next);
            improve<Terms>(best, drawn(next, 1, all));
        }
        return;
    }
    for (int color = 0; color < COLORS; ++color) {
        if (state.row[color] > 0 &&
            better<Terms>(research_with(state.ring + Marbles::one(color), more - 1, marble_worth, all), best)) {
            State next = state;
            moves_.pick(next, color);
            improve<Terms>(best, enter_row(next, all));
        }
    }
}

// The marble that enters the row after a pick.
template <int Terms>
Value<Terms> Search<Terms>::enter_row(State state, const Collection& all) {
    while (state.owed_runs > 0) {
        if (state.owed_kind[0] == owed::row && problem_.nexts_known(state) > 0) {
            enter_known(state);
        } else if (state.dispenser.total() == 0 || !entry_matters(state, all)) {
            Moves::pay_owed(state);
        } else {
            Fold<Terms> fold(problem_.luck);
            for (int color = 0; color < COLORS; ++color) {
                if (state.dispenser[color] > 0) {
                    State next = state;
                    reveal(next, color);
                    fold.add(enter_row(next, all), state.dispenser[color]);
                }
            }
            return fold.result();
        }
    }
    return gather(state, all);
}

// True if it can matter which marble enters the row, or is known to come next: a pick may take it, or it tells what draws
// will find while there is a decision to be taken.
template <int Terms>
bool Search<Terms>::entry_matters(const State& state, const Collection& all) const {
    const int picks = steps(state, Effect::pick) + all.picks_after;
    const int draws = steps(state, Effect::draw);
    const bool listening = all.listening_after || (state.ready & cards().on_pick()).any();
    if (state.owed_kind[0] == owed::row ? picks > 0 : picks > 1) {
        return true;
    }
    if (draws + all.draws_after == 0 && !(picks > 0 && listening)) {
        return false;
    }
    const bool forced = picks == 0 && (all.marble_card < 0 || draws == 0 || state.room() >= draws + all.draws_after);
    return !forced || state.dispenser.total() <= draws + all.draws_after + 2;
}

// Draws that exclude nothing are taken without a decision between them.
template <int Terms>
Value<Terms> Search<Terms>::draw_all(const State& state, int draws, const Collection& all) {
    State after = state;
    drop(after, Effect::draw);
    return drawn(after, draws, all);
}

// So many marbles are drawn: every multiset counts by its probability.
template <int Terms>
Value<Terms> Search<Terms>::drawn(const State& state, int draws, const Collection& all) {
    State after = state;
    Fold<Terms> fold(problem_.luck);
    const auto choose = [&](const auto& self, int color, int left, double weight) -> void {
        const int there = state.dispenser[color];
        for (int taken = color + 1 == COLORS ? left : 0; taken <= std::min(there, left); ++taken) {
            const Marbles marbles{static_cast<std::uint32_t>(taken) << (8 * color)};
            after.ring += marbles;
            after.dispenser -= marbles;
            const double chance = weight * binomial(there, taken);
            if (color + 1 == COLORS) {
                fold.add(gather(after, all), chance);
            } else {
                self(self, color + 1, left - taken, chance);
            }
            after.ring -= marbles;
            after.dispenser += marbles;
        }
    };
    choose(choose, 0, draws, 1.0);
    return fold.result();
}

// The most that a marble card can be worth.
template <int Terms>
Value<Terms> Search<Terms>::most_for_marbles(const State& state, int incoming, const Collection& all) const {
    Worths worth;
    worth.fill(NOTHING);
    if (all.marble_card >= 0) {
        const int limit = state.ring_limit == NO_LIMIT ? NO_LIMIT : state.ring_limit + all.more_storage;
        const int left = state.ring.total() + incoming + all.picks_after + all.draws_after - all.least_spent;
        worth[0] = all.points_beside + all.worth_each * std::min(left, limit);
    }
    return worth;
}

// The research is begun.
template <int Terms>
Value<Terms> Search<Terms>::leave(const State& state, const Collection& all) {
    Worths marble_worth;
    marble_worth.fill(NOTHING);
    if (all.marble_card >= 0) {
        marble_worth = worth_of_marbles(state, all);
    }
    return research_with(state.ring, 0, marble_worth, all);
}

// The most marbles left after paying for a card found by a research; one more than any ring holds if it can't be paid.
template <int Terms>
int Search<Terms>::most_left(const State& state, int card) {
    const Card& wanted = cards()[card];
    int left = -1;
    for (const Payment& payment : paid_by(wanted.colors, Moves::least_price(state, wanted, Source::research), wanted.cost,
                                          state.ring, state.ready & cards().converters())) {
        left = std::max(left, state.ring.total() - payment.spend.total());
    }
    return left < 0 ? MOST_PACKED : left;
}

// What the marble card is worth, if the research finds it.
template <int Terms>
Value<Terms> Search<Terms>::worth_of_marbles(const State& state, const Collection& all) {
    State now = state;
    moves_.skip(now);
    // After it, colours count only through what picks trigger.
    const int picks = steps(now, Effect::pick) + all.picks_after;
    const int draws = steps(now, Effect::draw) + all.draws_after;
    State alike = now;
    if (picks < 2 || !all.listening_after) {
        alike.ring = {static_cast<std::uint32_t>(most_left(now, all.marble_card))};
    }
    if (picks == 0) {
        alike.row = Marbles{};
        alike.next_used = alike.next_new = 0;
        alike.ready &= ~cards().on_pick();
        alike.dispenser = {static_cast<std::uint32_t>(std::min(now.dispenser.total(), draws + 1))};
    }
    const auto [first, second] = packed(alike);
    const Signature key = mixed(all.context, ~first, ~second);
    Worths worth;
    if (table_.find(key, worth)) {
        return worth;
    }
    const int level = cards()[all.marble_card].level;
    const auto at = static_cast<std::size_t>(level - 1);
    begin_research(now, level);
    Drawing draw = drawing(now);
    State& seen = draw.state;
    seen.pool &= ~cards().level(level);
    seen.below[at] = static_cast<std::uint8_t>(seen.below[at] + std::max(0, draw.drawn - 1));
    seen.seen.add(all.marble_card);
    worth.fill(NOTHING);
    keep(seen, closure(problem_, seen, purse_), all.marble_card, worth);
    table_.store(key, worth);
    return worth;
}

template <int Terms>
void Search<Terms>::begin_research(State& state, int level) const {
    Gain gain;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (cards().kind(kind).effect == Effect::research && state.waiting[static_cast<std::size_t>(kind)] > 0) {
            moves_.begin(state, kind, gain);
            break;
        }
    }
    moves_.research(state, level);
}

// What the research is worth with a ring and so many marbles more, of whatever colours are best, if a marble card is
// worth so much.
template <int Terms>
Value<Terms> Search<Terms>::research_with(Marbles ring, int more, const Worths& marble_worth, const Collection& all) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, marble_worth.data(), sizeof(double));
    const Signature key = mixed(all.context, ring.packed | ~static_cast<std::uint64_t>(more) << 32U, ~bits);
    Worths best;
    if (table_.find(key, best)) {
        return best;
    }
    State state = all.base;
    if (more == 0) {
        state.ring = ring;
    } else {
        purse_with(state, ring, more);
    }
    if (all.marble_card < 0) {
        best = value(state);
    } else {
        State over = state;
        moves_.end_turn(over);
        best = at_end(over);
        for (int level = 1; level <= 3; ++level) {
            if (problem_.deck_size(state, level) > 0) {
                State owing = state;
                begin_research(owing, level);
                const Drawing draw = drawing(owing);
                improve<Terms>(best, best_seen(draw, closure(problem_, owing, purse_), &marble_worth));
            }
        }
    }
    table_.store(key, best);
    return best;
}

// Fills the purse with the most that a ring and so many marbles more, of any colours, can pay.
template <int Terms>
void Search<Terms>::purse_with(State& state, Marbles ring, int more) {
    const Bits converters = state.ready & cards().converters();
    const int doubles = Purse::doubles(converters);
    const Means& means = purse_.means(ring, converters);
    const int all = std::min(HIGHEST_COST, ring.total() + doubles + more);
    state.purse = static_cast<std::uint8_t>(1 + all);
    for (int color = 0; color < COLORS; ++color) {
        const int most = means[static_cast<std::size_t>(color)] + more + std::min(more, doubles);
        state.ring += {static_cast<std::uint32_t>(std::min(most, all)) << (8 * color)};
    }
    state.ready &= ~cards().converters();
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
