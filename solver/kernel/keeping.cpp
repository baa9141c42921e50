// A research that is being decided: which card is kept, how, and in what order the others are returned.
#include <algorithm>

#include "cards.hpp"
#include "relax.hpp"
#include "search.hpp"

namespace gizmos {

template <int Terms>
Value<Terms> Search<Terms>::research_choice(const State& state, const Closure& can, const Worths& floor) {
    Worths best = after_research(state, floor);
    for (const Bits alike : split(state, can, state.seen)) {
        keep(state, can, alike.first(), best, floor);
    }
    return better<Terms>(best, floor) ? best : floor;
}

template <int Terms>
void Search<Terms>::list_ways(const State& state, const Closure& can, int card, std::vector<Action>& ways) {
    if (Moves::can_file(state)) {
        ways.push_back({state, {}});
        moves_.file(ways.back().next, card, Source::research);
    }
    list_payments(state, can, card, Source::research, ways);
}

template <int Terms>
void Search<Terms>::keep(const State& state, const Closure& can, int card, Worths& best, const Worths& floor) {
    std::vector<Action> ways;
    list_ways(state, can, card, ways);
    Choices choices;
    choices.best = best;
    choices.floor = floor;
    choices.bounded = worth_bounding(state, can);
    std::vector<Action> promising;
    for (const Action& way : ways) {
        const Return back = returning(way.next);
        // Orders that matter are too many to be held back.
        if (choices.bounded && back.matter <= FEW_PLACES) {
            each_order(back, [&](const State& returned) { promising.push_back({returned, way.gain}); });
        } else {
            improve<Terms>(choices.best, plus(best_order(back, below(choices.to_beat(), way.gain)), way.gain));
        }
    }
    offer_promising(promising, choices);
    settle(choices);
    best = choices.best;
}

template <int Terms>
Value<Terms> Search<Terms>::keep(const State& state, int card) {
    Worths best;
    best.fill(NOTHING);
    keep(state, closure(problem_, state, purse_), card, best);
    return better<Terms>(best, nothing()) ? best : after_research(state);
}

template <int Terms>
Value<Terms> Search<Terms>::after_research(const State& state, const Worths& floor) {
    return best_order(returning(state), floor);
}

template <int Terms>
Value<Terms> Search<Terms>::best_order(const Return& back, const Worths& floor) {
    Worths best = nothing();
    each_order(back, [&](const State& returned) {
        improve<Terms>(best, value(returned, better<Terms>(best, floor) ? best : floor));
    });
    return best;
}

template <int Terms>
typename Search<Terms>::Return Search<Terms>::returning(const State& state) {
    Return back{state, {}, state.seen};
    State& returned = back.state;
    give_back(returned);
    if (!state.seen.any()) {
        return back;
    }
    const int level = back.level = state.research_level;
    const auto at = static_cast<std::size_t>(level - 1);
    State open = returned;  // with the cards about to be returned where they may be found again
    open.pool |= state.seen;
    if (state.below[at] > 0 && state.vague[at] >= BY_SET_GONE) {
        returned.pool |= state.seen;
    }
    const Closure& can = back.closure = closure(problem_, open, purse_);
    if (state.below[at] == 0 && pool_matters(problem_, returned, can, level, state.seen)) {
        back.places = std::min(places_reached(returned, can, level), MAX_ORDERED - state.ordered[at]);
        back.matter = std::min(back.places, places_that_matter(problem_, returned, can, level) - returned.ordered[at]);
    }
    return back;
}

template <int Terms>
void Search<Terms>::give_back(State& state) const {
    moves_.return_seen(state);
    // What can follow is judged next, and a payment may have made room for marbles that wait.
    if (state.reserve != 0) {
        absorb(state);
    }
}

template <int Terms>
int Search<Terms>::places_reached(const State& returned, const Closure& can, int level) const {
    const auto at = static_cast<std::size_t>(level - 1);
    return cards_to_see(returned, can, level) - problem_.tops_left(returned, level) - returned.unknown[at] -
           returned.ordered[at];
}

// The cards are put at the bottom one after the other, in any order as far as it can matter.
template <int Terms>
template <typename Visit>
void Search<Terms>::each_order(const Return& back, const Visit& visit) {
    if (back.places <= 0 || !back.cards.any()) {
        visit(back.state);
        return;
    }
    const auto at = static_cast<std::size_t>(back.level - 1);
    for (const Bits alike : split(back.state, back.closure, back.cards)) {
        const int card = alike.first();
        Return next = back;
        --next.state.below[at];
        next.state.order[at][next.state.ordered[at]] = static_cast<std::uint8_t>(card);
        ++next.state.ordered[at];
        next.cards.remove(card);
        --next.places;
        --next.matter;
        each_order(next, visit);
        if (back.matter <= 0) {
            return;
        }
    }
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
