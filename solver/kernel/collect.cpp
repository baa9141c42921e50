// Collecting: the last paid build of the turn is a research that waits, and until it nothing is left but picks and draws.
//
// Most states of a turn with a strong engine are of this kind, so they are searched apart, by their marbles only. As more
// marbles are never worse here (none counts after that build), the research is begun when the ring is full or nothing
// is left to collect, and draws are taken at once where they compete with nothing for room. What the research is worth
// with the ring as it is, and with the missing marbles in any colours, encloses the value; mostly the two meet soon.
//
// With one exception: if the research may find a card that makes marbles worth points (a marble card), picks and draws may be
// better kept for after it. What such a card is worth is then worked out apart, and the research may be begun at any time.
#include <algorithm>
#include <bit>
#include <cstring>

#include "cards.hpp"
#include "search.hpp"
#include "stock.hpp"

namespace gizmos {

namespace {

// One more than any ring holds.
constexpr int UNPAYABLE = 31;

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
    return gather(Stock::of(state), all);
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
Value<Terms> Search<Terms>::gather(const Stock& stock, const Collection& all) {
    const int picks = stock.picks();
    const int draws = stock.draws();
    const int room = stock.room();
    const int there = stock.dispenser.total();
    if (room <= 0 || (picks == 0 && (draws == 0 || there == 0))) {
        return leave(stock, all);
    }
    const bool plain = all.marble_card < 0;
    const int incoming = picks + draws + (picks == 0 ? 0 : std::popcount(stock.listening));
    const int in_all = incoming + all.picks_after + all.draws_after;
    // Marbles spent on a marble card enter the row again, where it may count who picks what: such picks may be left for
    // later.
    const bool colors_come_back = all.listening_after && picks + all.picks_after > 1;
    const bool ample = there > in_all + 2 && room >= in_all && !colors_come_back;
    if (plain && picks == 0) {
        return draw_all(stock, std::min({room, draws, there}), all);
    }
    pulse_.beat();
    const auto [first, second] = stock.packed();
    const Signature key = mixed(all.context, first, second);
    Worths best;
    if (table_.find(key, best)) {
        ++counters_.known;
        return best;
    }
    ++counters_.states;
    const int more = std::min(incoming, room);
    const Worths marble_worth = most_for_marbles(stock, incoming, all);
    const Worths high = research_with(stock.ring, more, marble_worth, all);
    best = research_with(stock.ring, 0, nothing(), all);
    if (!better<Terms>(high, best)) {
        ++counters_.collections_cut;
    } else if (ample && draws > 0 && !stock.picking()) {
        improve<Terms>(best, draw_all(stock, draws, all));
    } else {
        const bool free = stock.pending == 0 || stock.started != 0;
        if (stock.pending != 0) {
            gather_more(stock, more, marble_worth, all, best);
            if (free && better<Terms>(high, best)) {
                Stock next = stock;
                next.skip();
                improve<Terms>(best, gather(next, all));
            }
        } else {
            for (int mover = 0; mover < movers().count() && better<Terms>(high, best); ++mover) {
                if (stock.waiting[static_cast<std::size_t>(mover)] > 0) {
                    Stock begun = stock;
                    begun.begin(mover);
                    gather_more(begun, more, marble_worth, all, best);
                }
            }
        }
        // Only a marble card may be a reason to leave something for later.
        if (!plain && !ample && free && better<Terms>(research_with(stock.ring, 0, marble_worth, all), best)) {
            improve<Terms>(best, leave(stock, all));
        }
    }
    table_.store(key, best);
    return best;
}

// The best of picking each colour, or of a draw. `more` marbles at most can still come.
template <int Terms>
void Search<Terms>::gather_more(const Stock& stock, int more, const Worths& marble_worth, const Collection& all,
                                Worths& best) {
    if (!stock.picking()) {
        if (stock.dispenser.total() > 0) {
            Stock next = stock;
            next.draw();
            improve<Terms>(best, drawn(next, 1, all));
        }
        return;
    }
    for (int color = 0; color < COLORS; ++color) {
        if (stock.row[color] > 0 &&
            better<Terms>(research_with(stock.ring + Marbles::one(color), more - 1, marble_worth, all), best)) {
            Stock next = stock;
            next.pick(color);
            improve<Terms>(best, enter_row(next, all));
        }
    }
}

// The marble that enters the row after a pick; then, perhaps, the one known to come next.
template <int Terms>
Value<Terms> Search<Terms>::enter_row(const Stock& stock, const Collection& all) {
    if (stock.nexts_known(problem_) > 0) {
        Stock next = stock;
        next.enter_known(problem_);
        return preview(next, all);
    }
    if (stock.dispenser.total() == 0 || !entry_matters(stock, 0, all)) {
        return preview(stock, all);
    }
    Fold<Terms> fold(problem_.luck);
    for (int color = 0; color < COLORS; ++color) {
        if (stock.dispenser[color] > 0) {
            Stock next = stock;
            next.dispenser -= Marbles::one(color);
            next.row += Marbles::one(color);
            fold.add(preview(next, all), stock.dispenser[color]);
        }
    }
    return fold.result();
}

template <int Terms>
Value<Terms> Search<Terms>::preview(const Stock& stock, const Collection& all) {
    if (problem_.preview <= stock.nexts_known(problem_) || stock.dispenser.total() == 0 || !entry_matters(stock, 1, all)) {
        return gather(stock, all);
    }
    Fold<Terms> fold(problem_.luck);
    for (int color = 0; color < COLORS; ++color) {
        if (stock.dispenser[color] > 0) {
            Stock next = stock;
            next.dispenser -= Marbles::one(color);
            next.next_new = static_cast<std::uint8_t>(1 + color);
            fold.add(gather(next, all), stock.dispenser[color]);
        }
    }
    return fold.result();
}

// True if it can matter which marble enters the row after so many more picks: a later pick may take it, or it tells what
// draws will find while there is a decision to be taken.
template <int Terms>
bool Search<Terms>::entry_matters(const Stock& stock, int picks_before, const Collection& all) const {
    const int picks = stock.picks() + all.picks_after;
    const int draws = stock.draws();
    if (picks > picks_before) {
        return true;
    }
    const bool listening = all.listening_after || stock.listening != 0;
    if (draws + all.draws_after == 0 && !(picks > 0 && listening)) {
        return false;
    }
    const bool forced = picks == 0 && (all.marble_card < 0 || draws == 0 || stock.room() >= draws + all.draws_after);
    return !forced || stock.dispenser.total() <= draws + all.draws_after + 2;
}

// Draws that exclude nothing are taken without a decision between them.
template <int Terms>
Value<Terms> Search<Terms>::draw_all(const Stock& stock, int draws, const Collection& all) {
    Stock after = stock;
    after.drop_draws();
    return drawn(after, draws, all);
}

// So many marbles are drawn: every multiset counts by its probability.
template <int Terms>
Value<Terms> Search<Terms>::drawn(const Stock& stock, int draws, const Collection& all) {
    Stock after = stock;
    Fold<Terms> fold(problem_.luck);
    const auto choose = [&](const auto& self, int color, int left, double weight) -> void {
        const int there = stock.dispenser[color];
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
Value<Terms> Search<Terms>::most_for_marbles(const Stock& stock, int incoming, const Collection& all) const {
    Worths worth = nothing();
    if (all.marble_card >= 0) {
        const int limit = stock.limit == NO_LIMIT ? NO_LIMIT : stock.limit + all.more_storage;
        const int left = stock.ring.total() + incoming + all.picks_after + all.draws_after - all.least_spent;
        worth[0] = all.points_beside + all.worth_each * std::min(left, limit);
    }
    return worth;
}

// The research is begun.
template <int Terms>
Value<Terms> Search<Terms>::leave(const Stock& stock, const Collection& all) {
    return research_with(stock.ring, 0, all.marble_card < 0 ? nothing() : worth_of_marbles(stock, all), all);
}

// The most marbles left after paying for the marble card.
template <int Terms>
int Search<Terms>::most_left(Marbles ring, const Collection& all) {
    const Card& wanted = cards()[all.marble_card];
    int left = -1;
    for (const Payment& payment : paid_by(wanted.colors, Moves::least_price(all.base, wanted, Source::research),
                                          wanted.cost, ring, all.base.ready & cards().converters())) {
        left = std::max(left, ring.total() - payment.spend.total());
    }
    return left < 0 ? UNPAYABLE : left;
}

// What the marble card is worth, if the research finds it.
template <int Terms>
Value<Terms> Search<Terms>::worth_of_marbles(const Stock& stock, const Collection& all) {
    Stock now = stock;
    now.skip();
    // After it, colours count only through what picks trigger.
    const int picks = now.picks() + all.picks_after;
    const int draws = now.draws() + all.draws_after;
    Stock alike = now;
    if (picks < 2 || !all.listening_after) {
        alike.ring = {static_cast<std::uint32_t>(most_left(now.ring, all))};
    }
    if (picks == 0) {
        alike.row = Marbles{};
        alike.next_used = alike.next_new = 0;
        alike.listening = 0;
        alike.dispenser = {static_cast<std::uint32_t>(std::min(now.dispenser.total(), draws + 1))};
    }
    const auto [first, second] = alike.packed();
    const Signature key = mixed(all.context, ~first, ~second);
    if (const Worths* known = worths_.find(key)) {
        return *known;
    }
    const int level = cards()[all.marble_card].level;
    const auto at = static_cast<std::size_t>(level - 1);
    State state = all.base;
    now.put_into(state);
    begin_research(state, level);
    Drawing draw = drawing(state);
    State& seen = draw.state;
    seen.pool &= ~cards().level(level);
    seen.below[at] = static_cast<std::uint8_t>(seen.below[at] + std::max(0, draw.drawn - 1));
    seen.seen.add(all.marble_card);
    Worths worth = nothing();
    keep(seen, closure(problem_, seen, purse_), all.marble_card, worth);
    return worths_.put(key, worth);
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
    const Bits converters = all.base.ready & cards().converters();
    const Means& means = purse_.means(ring, converters);
    const int doubles = more == 0 ? 0 : std::min(more, Purse::doubles(converters));
    Purchase purchase;
    purchase.total = std::min(HIGHEST_COST, means[COLORS] + (more == 0 ? 0 : more + doubles));
    for (int color = 0; color < COLORS; ++color) {
        const int most = means[static_cast<std::size_t>(color)] + more + doubles;
        purchase.most += {static_cast<std::uint32_t>(std::min(most, purchase.total)) << (8 * color)};
    }
    return research_for(purchase, marble_worth, all);
}

template <int Terms>
Value<Terms> Search<Terms>::research_for(const Purchase& purchase, const Worths& marble_worth, const Collection& all) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, marble_worth.data(), sizeof(double));
    const std::uint64_t can_pay = purchase.most.packed | static_cast<std::uint64_t>(~purchase.total) << 32U;
    const Signature key = mixed(all.context, can_pay, ~bits);
    if (const Worths* known = worths_.find(key)) {
        return *known;
    }
    State state = all.base;
    state.ring = purchase.most;
    state.purse = static_cast<std::uint8_t>(1 + purchase.total);
    state.ready &= ~cards().converters();
    Worths best;
    if (all.marble_card < 0) {
        best = value(state);
    } else if (marble_worth[0] > NOTHING) {
        best = research_for(purchase, nothing(), all);
        research_level(state, cards()[all.marble_card].level, marble_worth, best);
    } else {
        State over = state;
        moves_.end_turn(over);
        best = at_end(over);
        for (int level = 1; level <= 3; ++level) {
            research_level(state, level, marble_worth, best);
        }
    }
    return worths_.put(key, best);
}

template <int Terms>
void Search<Terms>::research_level(const State& state, int level, const Worths& marble_worth, Worths& best) {
    if (problem_.deck_size(state, level) == 0) {
        return;
    }
    State owing = state;
    begin_research(owing, level);
    const Drawing draw = drawing(owing);
    improve<Terms>(best, draw.lost ? lost(owing) : best_seen(draw, closure(problem_, owing, purse_), &marble_worth));
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
