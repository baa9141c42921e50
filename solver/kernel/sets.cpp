// Researches whose returned cards can be seen again: every set that may be seen is looked at.
//
// Few cards of a set can be kept to any use, and each way to keep one has bounds that leave open which cards are returned. So
// a way is worked out for a set only if it may be the best of that set.
#include <algorithm>

#include "cards.hpp"
#include "choice.hpp"

namespace gizmos {

// The most or the least that a way to keep a card is worth, whatever else was seen and is returned.
template <int Terms>
Value<Terms> Search<Terms>::whatever_returns(const Action& kept, Bound bound) {
    State state = kept.next;
    const auto at = static_cast<std::size_t>(state.research_level - 1);
    const Bits returned = state.seen;
    give_back(state);
    state.pool |= returned;
    state.bound = bound;
    state.vague[at] = ANY_GONE;
    return plus(value(state), kept.gain);
}

template <int Terms>
Value<Terms> Search<Terms>::sets_seen(const Drawing& draw, std::vector<Choice>& choices, Choice& floor) {
    struct Way {
        Action kept;
        int card;  // -1: none
        Worths most;
    };
    using Ways = std::vector<Way>;
    const auto at = static_cast<std::size_t>(draw.state.research_level - 1);
    // The ways that may be better than what can be had without another card.
    const auto open_ways = [&](Choice& choice, int card) {
        Ways ways;
        for (const Action& kept : choice.kept) {
            const Worths most = whatever_returns(kept, UPPER);
            if (!better<Terms>(most, choice.alone) || !better<Terms>(most, floor.alone)) {
                continue;
            }
            const Worths least = whatever_returns(kept, LOWER);
            if (better<Terms>(most, least)) {
                ways.push_back({kept, card, most});
            } else {
                improve<Terms>(choice.alone, most);
            }
        }
        std::erase_if(ways, [&](const Way& way) { return !better<Terms>(way.most, choice.alone); });
        return ways;
    };
    const Ways without = open_ways(floor, -1);
    std::vector<Ways> with;
    std::vector<Bits> classes;
    for (Choice& choice : choices) {
        with.push_back(open_ways(choice, choice.card));
        classes.push_back(choice.alike);
    }

    Fold<Terms> fold(problem_.luck);
    std::vector<int> taken(choices.size(), 0);
    Ways candidates;
    const auto best_of_set = [&](Bits set) {
        pulse_.beat();
        ++counters_.sets;
        Worths best = floor.alone;
        candidates = without;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (taken[i] > 0) {
                improve<Terms>(best, choices[i].alone);
                candidates.insert(candidates.end(), with[i].begin(), with[i].end());
            }
        }
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Way& left, const Way& right) { return better<Terms>(left.most, right.most); });
        for (const Way& way : candidates) {
            if (!better<Terms>(way.most, best)) {
                break;
            }
            State state = way.kept.next;
            state.seen |= way.card < 0 ? set : set & ~Bits::of(way.card);
            state.pool &= ~set;
            state.below[at] = static_cast<std::uint8_t>(state.below[at] - (draw.drawn - (way.card < 0 ? 0 : 1)));
            improve<Terms>(best, plus(after_research(state, below(best, way.kept.gain)), way.kept.gain));
        }
        return best;
    };
    const auto choose = [&](const auto& self, std::size_t from, int left, Bits set, double weight) -> void {
        if (left == 0) {
            fold.add(best_of_set(set), weight);
            return;
        }
        if (from == choices.size()) {
            return;
        }
        Bits members = classes[from];
        const int there = members.count();
        for (taken[from] = 0; taken[from] <= std::min(there, left); ++taken[from]) {
            self(self, from + 1, left - taken[from], set, weight * binomial(there, taken[from]));
            if (taken[from] < there) {
                set.add(members.pop());
            }
        }
        taken[from] = 0;
    };
    choose(choose, 0, draw.drawn, Bits{}, 1.0);
    return fold.result();
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
