// Researches whose returned cards can be seen again: every set that may be seen is looked at.
//
// Few cards of a set can be kept to any use, and each way to keep one has bounds that leave open which cards are returned. So
// a way is worked out for a set only if it may be the best of that set; where there are many sets, for many at once.
#include <algorithm>

#include "cards.hpp"
#include "choice.hpp"

namespace gizmos {

namespace {

constexpr double FEW_SETS = 16;  // each of which is better looked at by itself
constexpr double BYTES_OF_SET = 256;

}  // namespace

// After a way to keep a card, whatever else was seen and is returned.
template <int Terms>
State Search<Terms>::whatever_returned(const Action& kept, Bound bound, std::uint8_t vague) const {
    State state = kept.next;
    const auto at = static_cast<std::size_t>(state.research_level - 1);
    const Bits returned = state.seen;
    give_back(state);
    state.pool |= returned;
    state.bound = bound;
    state.vague[at] = vague;
    return state;
}

template <int Terms>
Value<Terms> Search<Terms>::whatever_returns(const Action& kept, Bound bound) {
    return plus(value(whatever_returned(kept, bound, ANY_GONE)), kept.gain);
}

// A way to keep a card of a set that was drawn.
template <int Terms>
Value<Terms> Search<Terms>::keep_of_set(const Drawing& draw, const Way& way, Bits set, const Worths& floor) {
    const auto at = static_cast<std::size_t>(draw.state.research_level - 1);
    State state = way.kept.next;
    state.seen |= way.card < 0 ? set : set & ~Bits::of(way.card);
    state.pool &= ~set;
    state.below[at] = static_cast<std::uint8_t>(state.below[at] - (draw.drawn - (way.card < 0 ? 0 : 1)));
    return plus(after_research(state, below(floor, way.kept.gain)), way.kept.gain);
}

// True if it is worth it, and possible, to value ways for many sets at once (by_set.cpp). Of level I it is not: a card that a
// refill takes from the deck may be built for nothing from the display.
template <int Terms>
bool Search<Terms>::many_sets(const Drawing& draw, const std::vector<Choice>& choices) const {
    const State& state = draw.state;
    const int level = state.research_level;
    if (Terms != 1 || asking_ || problem_.luck != Luck::average || problem_.terms[0].measure != Measure::score || level == 1 ||
        state.acted == 0 || state.vague != std::array<std::uint8_t, 3>{} || state.bound != EXACT || state.reserve != 0 ||
        state.below[static_cast<std::size_t>(level - 1)] > 0 ||
        draw.certain.count() + draw.drawn > static_cast<int>(Order::LONGEST)) {
        return false;
    }
    std::vector<int> classes;
    for (const Choice& choice : choices) {
        classes.push_back(choice.cards);
    }
    const double sets = different_sets(classes, draw.drawn);
    return sets >= FEW_SETS && sets * BYTES_OF_SET <= static_cast<double>(room_.sets);
}

// While ways are valued for many sets, the thread is in the room for that, and then leaves it empty.
template <int Terms>
struct Search<Terms>::InRoom {
    InRoom(Search& searching, bool many) : search(searching) {
        if (many && !search.in_room_) {
            lock = search.room_.enter(search.pulse_);
            search.in_room_ = true;
        }
    }
    ~InRoom() {
        if (!lock.owns_lock()) {
            return;
        }
        if (search.family_ != nullptr) {
            search.by_set_ += search.family_->counters();
            search.family_.reset();
        }
        search.in_room_ = false;
    }
    InRoom(const InRoom&) = delete;
    InRoom& operator=(const InRoom&) = delete;

    Search& search;
    std::unique_lock<std::timed_mutex> lock;
};

template <int Terms>
Value<Terms> Search<Terms>::sets_seen(const Drawing& draw, std::vector<Choice>& choices, Choice& floor) {
    using Ways = std::vector<Way>;
    const bool many = many_sets(draw, choices);
    const InRoom in_room(*this, many);
    // The ways that may be better than what can be had without another card.
    const auto open_ways = [&](Choice& choice, int card) {
        Ways ways;
        for (const auto& [kept, returned, any] : choice.dependent) {
            // Of many sets, a way is mostly the best of some; then closer bounds are not worth it.
            const Worths most = many ? most_of({whatever_returned(kept, UPPER, ANY_GONE), kept.gain}, nothing())
                                     : whatever_returns(kept, UPPER);
            if (!better<Terms>(most, choice.alone) || !better<Terms>(most, floor.alone)) {
                continue;
            }
            const Worths least = many ? nothing() : whatever_returns(kept, LOWER);
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
    for (Choice& choice : choices) {
        with.push_back(open_ways(choice, choice.card));
    }

    std::vector<int> taken(choices.size(), 0);
    // Calls back for every set that differs, with its weight and what can be had of it without another way.
    const auto each_set = [&](const auto& visit) {
        const auto choose = [&](const auto& self, std::size_t from, int left, Bits set, double weight, Worths best) -> void {
            if (left == 0) {
                pulse_.beat();
                ++counters_.sets;
                visit(set, weight, best);
                return;
            }
            if (from == choices.size()) {
                return;
            }
            Bits members = choices[from].alike;
            const int there = members.count();
            for (taken[from] = 0; taken[from] <= std::min(there, left); ++taken[from]) {
                self(self, from + 1, left - taken[from], set, weight * binomial(there, taken[from]), best);
                improve<Terms>(best, choices[from].alone);
                if (taken[from] < there) {
                    set.add(members.pop());
                }
            }
            taken[from] = 0;
        };
        choose(choose, 0, draw.drawn, Bits{}, 1.0, floor.alone);
    };
    const auto most_first = [](Ways& ways) {
        std::stable_sort(ways.begin(), ways.end(),
                         [](const Way& left, const Way& right) { return ahead<Terms>(left.most, right.most); });
    };
    Fold<Terms> fold(problem_.luck);
    Ways candidates = without;
    if (many) {
        ++counters_.researches_by_set;
        std::vector<SeenSet> sets;
        each_set([&](Bits set, double weight, const Worths& best) { sets.push_back({set, weight, best}); });
        for (const Ways& ways : with) {
            candidates.insert(candidates.end(), ways.begin(), ways.end());
        }
        most_first(candidates);
        for (const Way& way : candidates) {
            raise_by_set(draw, way, sets);
        }
        for (const SeenSet& set : sets) {
            fold.add(set.best, set.weight);
        }
        return fold.result();
    }
    each_set([&](Bits set, double weight, Worths best) {
        candidates = without;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (taken[i] > 0) {
                candidates.insert(candidates.end(), with[i].begin(), with[i].end());
            }
        }
        most_first(candidates);
        for (const Way& way : candidates) {
            if (!better<Terms>(way.most, best)) {
                break;
            }
            improve<Terms>(best, keep_of_set(draw, way, set, best));
        }
        fold.add(best, weight);
    });
    return fold.result();
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
