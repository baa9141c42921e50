// The search's side of a research: which cards are seen, and what they are worth.
//
// Let P be the unknown cards that may be seen, S the drawn ones. Keeping a card c in some way is worth V(c, S), where S
// counts only because the cards returned are no longer in the pool. Three cases, the simplest that holds is taken:
//  1. V(c, S) = V(c) for all c: the best of S counts, an order statistic (`best_seen`).
//  2. V(c, S) depends on how many cards of each of a few coarse classes S holds: these are the classes of cards that are
//     alike in what is left of the turn after the choice, where most cards can't be paid for any more. For fixed counts
//     the cards of a class are drawn independently of those of another, so the best of S is again an order statistic
//     (counts.cpp).
//  3. Returned cards can be reached again, so their order counts too: S itself is enumerated (sets.cpp).
#include <algorithm>
#include <stdexcept>

#include "cards.hpp"
#include "choice.hpp"
#include "relax.hpp"
#include "search.hpp"

namespace gizmos {

template <int Terms>
typename Search<Terms>::Drawing Search<Terms>::drawing(const State& state) const {
    Drawing result{state, {}, {}, 0};
    State& after = result.state;
    const int level = state.research_level;
    const auto at = static_cast<std::size_t>(level - 1);
    result.pool = state.pool & cards().level(level);
    result.left = state.below[at];
    while (after.owed_runs > 0 && after.owed_kind[0] == owed::research + level) {
        Moves::pay_owed(after);
        if (problem_.tops_left(after, level) > 0) {
            after.seen.add(problem_.tops[at][after.top_used[at]]);
            ++after.top_used[at];
        } else if (after.unknown[at] > 0) {
            --after.unknown[at];
            ++result.drawn;
        } else if (after.ordered[at] > 0) {
            after.seen.add(after.order[at][0]);
            std::shift_left(after.order[at].begin(), after.order[at].end(), 1);
            after.order[at][MAX_ORDERED - 1] = 0;
            --after.ordered[at];
        } else if (after.below[at] > 0 && state.vague[at] == ANY_GONE) {
            --after.below[at];
            ++result.drawn;
        } else if (after.below[at] > 0 && state.vague[at] == BY_SET_GONE) {
            --after.below[at];
            ++result.by_set;
        } else if (after.below[at] > 0) {
            --after.below[at];
            result.lost = true;
        }
    }
    result.certain = after.seen;
    return result;
}

// A card at the bottom of a deck is reached whose place the kernel does not keep.
template <int Terms>
Value<Terms> Search<Terms>::lost(const State& state) const {
    if (state.bound == LOWER) {
        State over = state;
        moves_.end_turn(over);
        return at_end(over);
    }
    if (!was_relaxed(state) && state.bound == EXACT) {
        throw std::length_error("a card at the bottom of a deck was reached whose place the kernel does not keep");
    }
    Worths most;
    most.fill(ANYTHING);
    return most;
}

template <int Terms>
bool Search<Terms>::set_matters(const State& state) {
    return pool_matters(problem_, state, closure(problem_, state, purse_), state.research_level);
}

template <int Terms>
Value<Terms> Search<Terms>::research(const State& state, const Closure& can, const Worths& floor, bool& exact) {
    const Drawing draw = drawing(state);
    exact = draw.lost || draw.drawn + draw.by_set > 0;
    if (draw.lost) {
        return lost(state);
    }
    if (draw.drawn + draw.by_set == 0) {
        return value(draw.state, floor);
    }
    if (!pool_matters(problem_, state, can, state.research_level)) {
        ++counters_.researches_alone;
        return best_seen(draw, can);
    }
    if (draw.by_set > 0) {
        return each_by_set(draw, can);
    }
    if (state.bound != EXACT) {
        ++counters_.researches_bounded;
        return bound_seen(draw, can);
    }
    return counts_seen(draw, can);
}

// No later reveal of the deck matters: a card is worth what it is worth alone, and the best of those drawn counts.
template <int Terms>
Value<Terms> Search<Terms>::best_seen(const Drawing& draw, const Closure& can) {
    const auto at = static_cast<std::size_t>(draw.state.research_level - 1);
    // What the cards are worth is shared by all rings that can pay the same; but for those that make marbles count.
    const Bits apart = marble_cards(problem_, draw.state, can) & (draw.pool | draw.certain);
    State shared = draw.state;
    const int vague = draw.state.vague[at];
    shared.vague[at] = 0;
    shared.pool &= ~apart;
    shared.seen &= ~apart;
    const bool purse = fill_purse(problem_, shared, can, purse_);
    if (!purse) {
        shared = draw.state;
        shared.vague[at] = 0;
    }
    if (draw.by_set > 0) {
        shared.vague[at] = BY_SET_GONE;
    }
    Alone alone = worths_alone(shared, draw.drawn + draw.by_set, purse ? apart : Bits{});
    if (purse && apart.any()) {
        State state = draw.state;
        state.below[at] = static_cast<std::uint8_t>(state.below[at] + draw.drawn + draw.by_set);
        for (const int card : each(apart & draw.certain)) {
            keep(state, can, card, alone.floor);
        }
        state.pool &= ~cards().level(state.research_level);
        --state.below[at];
        for (const Bits alike : split(draw.state, can, apart & draw.pool)) {
            Worths worth = alone.floor;
            State seen = state;
            seen.seen.add(alike.first());
            keep(seen, can, alike.first(), worth);
            alone.worths.push_back({worth, alike.count(), alike});
        }
    }
    if (alone.worths.empty()) {
        return alone.floor;
    }
    return best_of_vague(alone, draw, vague);
}

// The best of those drawn, when some cards of the pool are gone and only a bound is asked for.
template <int Terms>
Value<Terms> Search<Terms>::best_of_vague(Alone& alone, const Drawing& draw, int vague) const {
    std::vector<Worth<Terms>>& worths = alone.worths;
    if (vague == BY_SET_GONE) {
        return best_by_set(alone, draw);
    }
    if (vague != 0) {
        if constexpr (Terms == BY_SET) {
            for (const Worth<Terms>& worth : worths) {
                if (!worth.value.single()) {
                    throw Inexpressible();
                }
            }
        }
        const bool upper = draw.state.bound == UPPER;
        for (Worth<Terms>& worth : worths) {
            improve<Terms>(worth.value, alone.floor);
        }
        if (vague == ANY_GONE) {
            Worths best = alone.floor;
            for (const Worth<Terms>& worth : worths) {
                improve<Terms>(best, worth.value);
            }
            return upper ? best : alone.floor;
        }
        // For an upper bound the cards gone are those worth least, for a lower bound those worth most.
        std::sort(worths.begin(), worths.end(), [&](const Worth<Terms>& left, const Worth<Terms>& right) {
            return upper ? ahead<Terms>(left.value, right.value) : ahead<Terms>(right.value, left.value);
        });
        for (int gone = vague; gone > 0 && !worths.empty();) {
            const int taken = std::min(gone, worths.back().cards);
            gone -= taken;
            worths.back().cards -= taken;
            if (worths.back().cards == 0) {
                worths.pop_back();
            }
        }
        if (worths.empty()) {
            return alone.floor;
        }
    }
    return best_of_drawn<Terms>(problem_.luck, worths, draw.drawn, alone.floor);
}

// A bound where the set seen matters: which cards were returned is not said.
template <int Terms>
Value<Terms> Search<Terms>::bound_seen(const Drawing& draw, const Closure& can) {
    const int level = draw.state.research_level;
    const auto at = static_cast<std::size_t>(level - 1);
    State base = draw.state;
    base.below[at] = static_cast<std::uint8_t>(base.below[at] + draw.drawn);
    const auto best_way = [&](const State& state, int card, int gone, Worths& best) {
        std::vector<Action> ways;
        if (card < 0) {
            ways.push_back({state, {}});
        } else {
            list_ways(state, can, card, ways);
        }
        for (Action& way : ways) {
            State& after = way.next;
            const Bits returned = after.seen;
            give_back(after);
            State open = after;
            open.pool |= returned;
            const Closure later = closure(problem_, open, purse_);
            if (pool_matters(problem_, open, later, level)) {
                const bool reached = places_reached(after, later, level) > 0;
                after.vague[at] = reached || after.vague[at] == ANY_GONE
                                      ? ANY_GONE
                                      : static_cast<std::uint8_t>(after.vague[at] + gone);
                after.pool |= reached ? returned : Bits{};
            }
            improve<Terms>(best, plus(value(after, below(best, way.gain)), way.gain));
        }
    };
    Alone alone;
    alone.floor.fill(NOTHING);
    best_way(base, -1, draw.drawn, alone.floor);
    for (const Bits alike : split(draw.state, can, draw.certain)) {
        best_way(base, alike.first(), draw.drawn, alone.floor);
    }
    for (const Bits alike : split(draw.state, can, draw.pool)) {
        State seen = base;
        seen.seen.add(alike.first());
        seen.pool.remove(alike.first());
        --seen.below[at];
        Worths worth = alone.floor;
        best_way(seen, alike.first(), draw.drawn - 1, worth);
        alone.worths.push_back({worth, alike.count()});
    }
    return best_of_vague(alone, draw, draw.state.vague[at]);
}

// What each card of the pool of a research is worth if it is kept, and what can be had anyway. `apart` are cards of the
// deck that are valued elsewhere.
template <int Terms>
typename Search<Terms>::Alone Search<Terms>::worths_alone(State state, int drawn, Bits apart) {
    const int level = state.research_level;
    const auto at = static_cast<std::size_t>(level - 1);
    const Closure can = closure(problem_, state, purse_);
    canonicalise(problem_, state, can, alike_, purse_);
    const Signature key = signature(state);
    const Alone* known = alone_.find(key);
    if (known != nullptr && known->drawn == drawn) {
        return *known;
    }
    const Bits pool = state.pool & cards().level(level);
    State none = state;
    none.pool &= ~cards().level(level);
    none.below[at] = static_cast<std::uint8_t>(none.below[at] + drawn);
    Alone result;
    result.drawn = drawn;
    result.floor = after_research(none);
    if (!pool.any() && !apart.any() && drawn > 0 && Moves::can_file(none)) {
        // No card of this deck is told apart any more, but one can be filed.
        State filed = none;
        moves_.file_unseen(filed);
        improve<Terms>(result.floor, after_research(filed));
    }
    for (const Bits alike : split(state, can, state.seen)) {
        keep(none, can, alike.first(), result.floor);
    }
    for (const Bits alike : split(state, can, pool)) {
        State seen = none;
        seen.seen.add(alike.first());
        --seen.below[at];
        Worths worth = result.floor;
        keep(seen, can, alike.first(), worth);
        result.worths.push_back({worth, alike.count(), alike});
    }
    return alone_.put(key, std::move(result));
}

template <int Terms>
std::vector<Value<Terms>> Search<Terms>::worth_alone(const State& owing) {
    const Drawing draw = drawing(owing);
    const auto at = static_cast<std::size_t>(owing.research_level - 1);
    std::vector<Worths> worths;
    for (const int card : each(draw.pool)) {
        State seen = draw.state;
        seen.pool &= ~cards().level(owing.research_level);
        seen.seen.add(card);
        seen.below[at] = static_cast<std::uint8_t>(seen.below[at] + draw.drawn - 1);
        worths.push_back(keep(seen, card));
    }
    return worths;
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
