#include "matter.hpp"

#include <algorithm>

#include "cards.hpp"

namespace gizmos {

bool only_waiting(const State& state, std::initializer_list<Effect> effects) {
    const auto listed = [&](Effect effect) { return std::find(effects.begin(), effects.end(), effect) != effects.end(); };
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (state.waiting[static_cast<std::size_t>(kind)] > 0 && !listed(cards().kind(kind).effect)) {
            return false;
        }
    }
    return state.pending == Effect::none || listed(state.pending);
}

Bits marble_cards(const Problem& problem, const State& state, const Closure& closure) {
    if (!problem.needs.score) {
        return {};
    }
    Bits can_come = state.pool | state.seen | placed_in_decks(problem, state);
    if (closure.deciding) {
        can_come &= cards().level(state.research_level);
    }
    return closure.usable & cards().with(Special::points_per_energy) & can_come;
}

bool marbles_matter(const Problem& problem, const State& state, const Closure& closure) {
    const Needs& needs = problem.needs;
    return closure.paid() || needs.marbles || needs.ring_colors != 0 || needs.activations ||
           (needs.score && state.points_per_energy > 0);
}

bool colors_matter(const Problem& problem, const Closure& closure) {
    return closure.paid() || problem.needs.ring_colors != 0;
}

Bits placed_in_decks(const Problem& problem, const State& state) {
    Bits placed = problem.known;
    for (std::size_t at = 0; at < 3; ++at) {
        for (std::size_t i = 0; i < state.ordered[at]; ++i) {
            placed.add(state.order[at][i]);
        }
    }
    return placed;
}

bool pool_matters(const Problem& problem, const State& state, const Closure& closure, int level, Bits returned) {
    const Bits there = cards().level(level);
    if (closure.main) {
        return true;
    }
    if (closure.researches > 0) {
        const Bits in_deck = state.pool | state.seen | placed_in_decks(problem, state) | returned;
        if ((closure.useful & there & in_deck).any()) {
            return true;
        }
    }
    if (level == 1 && closure.frees > 0 && closure.files + closure.frees > 1) {
        return true;
    }
    return (problem.goal_cards & there).any() && closure.takes() > 0;
}

int cards_to_see(const State& state, const Closure& closure, int level) {
    // Each build may make later researches see more cards, by as many as an upgrade gives; what a research builds helps only
    // those after it.
    const int researches = closure.researches + (closure.main ? 1 : 0);
    const int others = closure.builds() - closure.researches;
    const int researched = researches * (state.research_amount + 2 * others) + researches * (researches - 1);
    const int refills = closure.files + (level == 1 ? closure.frees : 0) + (closure.main ? 1 : 0);
    return researched + refills;
}

int places_that_matter(const Problem& problem, const State& state, const Closure& closure, int level) {
    if (closure.main || state.research_amount < problem.deck_size(state, level)) {
        return MAX_ORDERED;
    }
    const auto at = static_cast<std::size_t>(level - 1);
    int refills = closure.files + (level == 1 ? closure.frees : 0);
    for (std::size_t i = 0; i < state.owed_runs; ++i) {
        refills += state.owed_kind[i] == owed::refill + level ? state.owed_count[i] : 0;
    }
    return std::max(0, refills - problem.tops_left(state, level) - state.unknown[at]);
}

}  // namespace gizmos
