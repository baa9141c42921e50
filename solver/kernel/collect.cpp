// Collecting: the last paid build of the turn is a research that waits, and until it nothing is left but picks and draws.
//
// Most states of a turn with a strong engine are of this kind, so they are searched apart, by their marbles only. More
// marbles are never worse here, and one taken before the research counts as much at the end as one taken after it. So
// bounds that need no reveal of the row mostly meet (foresee.cpp); where they do not, picks, draws and the research are
// tried in all orders. Draws are taken at once where they compete with nothing for room.
#include <algorithm>
#include <bit>

#include "cards.hpp"
#include "collection.hpp"
#include "stock.hpp"

namespace gizmos {

namespace {

// True if marbles are worth points, or the research may find a card that makes them so.
bool counting(const Problem& problem, const State& state, const Closure& can) {
    return problem.needs.score && (state.points_per_energy > 0 || marble_cards(problem, state, can).any());
}

}  // namespace

template <int Terms>
bool Search<Terms>::collecting(const State& state, const Closure& can) const {
    const Needs& needs = problem_.needs;
    if (can.main || can.deciding || can.researches != 1 || state.owed_runs != 0 || state.purse != 0 ||
        state.reserve != 0 || needs.marbles || needs.ring_colors != 0 || needs.activations ||
        !only_waiting(state, {Effect::pick, Effect::draw, Effect::research})) {
        return false;
    }
    return counting(problem_, state, can) ? Terms <= 1 && problem_.terms[0].measure == Measure::score
                                          : steps(state, Effect::pick) + steps(state, Effect::draw) > 0;
}

template <int Terms>
Value<Terms> Search<Terms>::collect(State state, const Closure& can) {
    Collection all{.base = state};
    all.counting = counting(problem_, state, can);
    State& base = all.base;
    drop(base, Effect::pick);
    drop(base, Effect::draw);
    base.ring = base.row = base.dispenser = Marbles{};
    base.next_used = base.next_new = 0;
    base.ready &= ~cards().on_pick();
    const int picks = steps(state, Effect::pick);
    const int draws = steps(state, Effect::draw);
    if (all.counting) {
        all.picks_after = can.picks - picks;
        all.draws_after = can.draws - draws;
        all.listening_after = ((can.coming | can.made) & cards().on_pick()).any();
    } else {
        base.ready &= ~(cards().with(Effect::pick) | cards().with(Effect::draw));
        base.ring_limit = NO_LIMIT;
        const int listeners = (state.ready & cards().on_pick()).count();
        if (state.room() >= picks + draws + listeners) {
            state.ring_limit = NO_LIMIT;
        }
    }
    const Stock stock = Stock::of(state);
    const int in_all = picks + draws + std::popcount(stock.listening);
    if (all.counting) {
        const int coarse = 8;  // so that more collections share their offers
        all.most = ((state.ring.total() + in_all) / coarse + 1) * coarse;
    }
    // What is left for later is neither looked into nor short of marbles, so it is only counted.
    const int later = all.picks_after + all.draws_after;
    all.only_counted = !all.listening_after && stock.dispenser.total() > in_all + later + 2 + problem_.preview &&
                       (stock.row.total() > 0 || picks + all.picks_after == 0);
    if (!all.counting || all.only_counted) {
        all.offers = offers(all.counting ? counted(base, 0, 0) : base, all.most);
    }
    if (all.offers != nullptr && !all.offers->apart) {
        all.context = mixed(all.offers->worths, state.ring_limit,
                            static_cast<unsigned>(all.picks_after) << 16U | static_cast<unsigned>(all.draws_after) << 8U |
                                (all.counting ? 1U : 0U));
    } else {
        State named = base;
        named.ring_limit = state.ring_limit;
        all.context = signature(named);
    }
    return gather(stock, all);
}

template <int Terms>
Value<Terms> Search<Terms>::gather(Stock stock, const Collection& all) {
    pulse_.beat();
    stock.end_in_vain();
    const int left_to_come = stock.draws() + all.draws_after + all.picks_after;
    if (stock.picks() == 0 && !all.hears(stock) && stock.dispenser.total() > left_to_come + 2) {
        stock.forget_row(stock.draws() == 0 ? left_to_come + 3 : 0);
    }
    const auto [first, second] = stock.packed();
    const Signature key = mixed(all.context, first, second);
    Worths best;
    if (table_.find(key, best)) {
        ++counters_.known;
        return best;
    }
    ++counters_.states;
    const Worths most = most_gathered(stock, all);
    best = least_gathered(stock, all);
    if (!better<Terms>(most, best)) {
        ++counters_.collections_cut;
    } else {
        gather_more(stock, most, all, best);
    }
    table_.store(key, best);
    return best;
}

// The best of all that can be done next, `best` being known already.
template <int Terms>
void Search<Terms>::gather_more(const Stock& stock, const Worths& most, const Collection& all, Worths& best) {
    const int there = stock.dispenser.total();
    if (stock.pending != 0) {
        const bool done = step_more(stock, all, best);
        if ((stock.started != 0 || !done) && better<Terms>(most, best)) {
            Stock next = stock;
            next.skip();
            improve<Terms>(best, gather(next, all));
        }
        return;
    }
    const int picks = stock.picks();
    const int draws = stock.draws();
    const int in_all = picks + draws + (picks == 0 ? 0 : std::popcount(stock.listening));
    // Marbles spent enter the row again, where it may count who picks what, if marbles count: such picks may be left for
    // later.
    const bool colors_come_back = all.listening_after && picks + all.picks_after > 1;
    if (draws > 0 && there > in_all + all.picks_after + all.draws_after + 2 && stock.room() >= in_all && !colors_come_back) {
        Stock next = stock;
        next.drop_draws();
        improve<Terms>(best, drawn(next, draws, all));
        return;
    }
    for (int mover = 0; mover < movers().count() && better<Terms>(most, best); ++mover) {
        if (stock.waiting[static_cast<std::size_t>(mover)] > 0) {
            Stock begun = stock;
            begun.begin(mover);
            step_more(begun, all, best);
        }
    }
    if (better<Terms>(most, best) && better<Terms>(most_left(stock, all), best)) {
        improve<Terms>(best, leave(stock, all));
    }
}

// One step of the effect under way: the best of picking each colour, or a draw. False if there is none.
template <int Terms>
bool Search<Terms>::step_more(const Stock& stock, const Collection& all, Worths& best) {
    if (stock.room() <= 0) {
        return false;
    }
    if (!stock.picking()) {
        if (stock.dispenser.total() == 0) {
            return false;
        }
        Stock next = stock;
        next.draw();
        improve<Terms>(best, drawn(next, 1, all));
        return true;
    }
    for (int color = 0; color < COLORS; ++color) {
        if (stock.row[color] > 0) {
            Stock next = stock;
            next.pick(color);
            next.end_in_vain();
            const Worths most = most_gathered(next, all);
            if (better<Terms>(most, best)) {
                const Worths least = least_gathered(next, all);
                improve<Terms>(best, better<Terms>(most, least) ? enter_row(next, all) : least);
            }
        }
    }
    return stock.row.total() > 0;
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
    return over_colors(stock, [&](Stock& next, int color) {
        next.row += Marbles::one(color);
        return preview(next, all);
    });
}

template <int Terms>
Value<Terms> Search<Terms>::preview(const Stock& stock, const Collection& all) {
    if (problem_.preview <= stock.nexts_known(problem_) || stock.dispenser.total() == 0 || !entry_matters(stock, 1, all)) {
        return gather(stock, all);
    }
    return over_colors(stock, [&](Stock& next, int color) {
        next.next_new = static_cast<std::uint8_t>(1 + color);
        return gather(next, all);
    });
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
    const bool forced = picks == 0 && (!all.counting || draws == 0 || stock.room() >= draws + all.draws_after);
    return !forced || stock.dispenser.total() <= draws + all.draws_after + 2;
}

// So many marbles are drawn: every multiset counts by its probability.
template <int Terms>
Value<Terms> Search<Terms>::drawn(const Stock& stock, int draws, const Collection& all) {
    return over_draws(stock.dispenser, draws, [&](Marbles marbles) {
        Stock after = stock;
        after.ring += marbles;
        after.dispenser -= marbles;
        return gather(after, all);
    });
}

// The research is begun, or left.
template <int Terms>
Value<Terms> Search<Terms>::leave(const Stock& stock, const Collection& all) {
    if (!all.counting || all.only_counted) {
        return most_left(stock, all);
    }
    State state = all.base;
    stock.put_into(state);
    State over = state;
    moves_.end_turn(over);
    Worths best = at_end(over);
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (cards().kind(kind).effect != Effect::research || state.waiting[static_cast<std::size_t>(kind)] == 0) {
            continue;
        }
        State begun = state;
        Gain gain;
        moves_.begin(begun, kind, gain);
        for (int level = 1; level <= 3; ++level) {
            if (problem_.deck_size(begun, level) > 0) {
                State owing = begun;
                moves_.research(owing, level);
                improve<Terms>(best, plus(value(owing), gain));
            }
        }
    }
    return best;
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
