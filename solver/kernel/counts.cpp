// Researches of which it counts how many cards of each coarse class are seen: (2) in research.cpp.
#include <algorithm>

#include "cards.hpp"
#include "choice.hpp"
#include "search.hpp"

namespace gizmos {

namespace {

// True if it is worth it to bound ways first.
bool many_counts(const std::vector<Bits>& coarse, int drawn) {
    const double few = 4;
    std::vector<int> sizes;
    for (const Bits members : coarse) {
        sizes.push_back(members.count());
    }
    return different_sets(sizes, drawn) >= few;
}

}  // namespace

template <int Terms>
bool Search<Terms>::depends(const State& after, Merged& merged, int level, Bits returned) {
    State open = after;
    open.pool |= returned;
    const Closure can = closure(problem_, open, purse_);
    if (!pool_matters(problem_, open, can, level)) {
        return false;
    }
    merged.any = true;
    merged.reached |= places_reached(after, can, level) > 0;
    Closure& all = merged.closure;
    all.researches = std::max(all.researches, can.researches);
    all.frees = std::max(all.frees, can.frees);
    all.files = std::max(all.files, can.files);
    all.after_build |= can.after_build;
    all.more_researches |= can.more_researches;
    all.more_files |= can.more_files;
    all.useful |= can.useful;
    all.usable |= can.usable;
    merged.state.points_per_energy = std::max(merged.state.points_per_energy, after.points_per_energy);
    return true;
}

template <int Terms>
Value<Terms> Search<Terms>::counts_seen(const Drawing& draw, const Closure& can) {
    const auto at = static_cast<std::size_t>(draw.state.research_level - 1);
    State base = draw.state;
    base.below[at] = static_cast<std::uint8_t>(base.below[at] + draw.drawn);  // as if all drawn were returned

    // What can be had whatever is drawn, and what each card of the pool adds.
    Merged merged{base, {}, false, false};
    Choice floor;
    floor.alone.fill(NOTHING);
    sort_ways(base, -1, floor, merged);
    for (const Bits alike : split(draw.state, can, draw.certain)) {
        sort_ways(base, alike.first(), floor, merged);
    }
    std::vector<Choice> choices;
    for (const Bits alike : split(draw.state, can, draw.pool)) {
        State seen = base;
        seen.seen.add(alike.first());
        seen.pool.remove(alike.first());
        --seen.below[at];
        Choice choice;
        choice.card = alike.first();
        choice.cards = alike.count();
        choice.alike = alike;
        choice.alone.fill(NOTHING);
        sort_ways(seen, choice.card, choice, merged);
        choices.push_back(std::move(choice));
    }
    if (merged.reached) {
        if constexpr (Terms == BY_SET) {
            throw Inexpressible();
        }
        ++counters_.researches_full;
        return sets_seen(draw, choices, floor);
    }
    if (!merged.any) {
        ++counters_.researches_alone;
        std::vector<Worth<Terms>> worths;
        for (const Choice& choice : choices) {
            worths.push_back({choice.alone, choice.cards});
        }
        return best_of_drawn<Terms>(problem_.luck, worths, draw.drawn, floor.alone);
    }

    ++counters_.researches_counted;
    if (Terms != BY_SET && many_counts(split(merged.state, merged.closure, draw.pool), draw.drawn)) {
        bound_ways(draw, floor, nothing());
        for (Choice& choice : choices) {
            bound_ways(draw, choice, floor.alone);
        }
        merged = {base, {}, false, false};
        for (const Choice& choice : choices) {
            merge_ways(choice, merged);
        }
        merge_ways(floor, merged);
    }
    // The coarse classes, and to which of them each choice belongs.
    std::vector<Bits> coarse = split(merged.state, merged.closure, draw.pool);
    for (Choice& choice : choices) {
        while (!coarse[choice.coarse].has(choice.card)) {
            ++choice.coarse;
        }
    }
    floor.coarse = NO_CLASS;
    return fold_counts(draw, coarse, choices, floor);
}

// Of the ways whose worth depends on the set seen, those are left that may be worth more than what can be had of any set.
template <int Terms>
void Search<Terms>::bound_ways(const Drawing& draw, Choice& choice, const Worths& floor) {
    if constexpr (Terms != BY_SET) {
        const auto at = static_cast<std::size_t>(draw.state.research_level - 1);
        const int gone = draw.drawn - (choice.cards > 0 ? 1 : 0);  // a card of the pool that is kept is one of those drawn
        const auto bound = [&](const Action& way, Bound which) {
            State state = way.next;
            state.vague[at] = static_cast<std::uint8_t>(state.vague[at] + gone);
            state.bound = which;
            return plus(value(state), way.gain);
        };
        std::erase_if(choice.dependent, [&](auto& way) {
            way.most = bound(way.returned, UPPER);
            if (!better<Terms>(way.most, choice.alone) || !better<Terms>(way.most, floor)) {
                return true;
            }
            improve<Terms>(choice.alone, bound(way.returned, LOWER));
            return !better<Terms>(way.most, choice.alone);
        });
    }
}

template <int Terms>
void Search<Terms>::merge_ways(const Choice& choice, Merged& merged) {
    for (const auto& way : choice.dependent) {
        depends(way.returned.next, merged, merged.state.research_level, way.kept.next.seen);
    }
}

// Sorts the ways to keep a card (-1: none) into those that stand alone and those whose worth depends on the set seen.
template <int Terms>
void Search<Terms>::sort_ways(const State& state, int card, Choice& choice, Merged& merged) {
    std::vector<Action> ways;
    if (card < 0) {
        ways.push_back({state, {}});
    } else {
        list_ways(state, closure(problem_, state, purse_), card, ways);
    }
    for (Action& way : ways) {
        const Action kept = way;
        State& after = way.next;
        const Bits returned = after.seen;
        give_back(after);
        if (depends(after, merged, state.research_level, returned)) {
            choice.dependent.push_back({kept, way, {}});
            choice.dependent.back().most.fill(ANYTHING);
        } else {
            improve<Terms>(choice.alone, plus(value(after, below(choice.alone, way.gain)), way.gain));
        }
    }
}

template <int Terms>
Value<Terms> Search<Terms>::fold_counts(const Drawing& draw, const std::vector<Bits>& coarse,
                                        const std::vector<Choice>& choices, const Choice& floor) {
    const std::size_t classes = coarse.size();
    std::vector<int> taken(classes, 0);
    Fold<Terms> fold(problem_.luck);
    std::vector<Worths> most;
    for (const Choice& choice : choices) {
        most.push_back(choice.most());
    }
    std::vector<Ranked> ranking;
    // The members of the classes that are gone are any, but for the card of the choice.
    const auto exact = [&](const Choice& choice) {
        Bits gone;
        for (std::size_t i = 0; i < classes; ++i) {
            const bool own = choice.coarse == i;
            gone |= lowest(own ? coarse[i] & ~Bits::of(choice.card) : coarse[i], taken[i] - (own ? 1 : 0));
        }
        Worths best = choice.alone;
        for (const auto& way : choice.dependent) {
            if (better<Terms>(way.most, best)) {
                State after = way.returned.next;
                after.pool &= ~gone;
                const Gain& gain = way.returned.gain;
                improve<Terms>(best, plus(value(after, below(best, gain)), gain));
            }
        }
        return best;
    };
    const auto value_of_counts = [&] {
        pulse_.beat();
        ++counters_.sets;
        ranking.clear();
        ranking.push_back({floor.most(), &floor, !floor.dependent.empty()});
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (taken[choices[i].coarse] > 0) {
                ranking.push_back({most[i], &choices[i], !choices[i].dependent.empty()});
            }
        }
        return best_of_counts(ranking, coarse, taken, exact);
    };
    const auto choose = [&](const auto& self, std::size_t from, int left, double weight) -> void {
        if (from + 1 == classes) {
            if (left <= coarse[from].count()) {
                taken[from] = left;
                fold.add(value_of_counts(), weight * binomial(coarse[from].count(), left));
            }
            return;
        }
        for (taken[from] = 0; taken[from] <= std::min(coarse[from].count(), left); ++taken[from]) {
            self(self, from + 1, left - taken[from], weight * binomial(coarse[from].count(), taken[from]));
        }
    };
    choose(choose, 0, draw.drawn, 1.0);
    return fold.result();
}

// The best card when so many are drawn of each class, every subset of a class being equally likely. Choices that are open
// get their exact worth once no better one may be there.
template <int Terms>
template <typename Exact>
Value<Terms> Search<Terms>::best_of_counts(std::vector<Ranked>& ranking, const std::vector<Bits>& coarse,
                                           const std::vector<int>& taken, const Exact& exact) const {
    if constexpr (Terms == BY_SET) {
        throw Inexpressible();
    } else {
        const auto behind = [](const Ranked& left, const Ranked& right) { return ahead<Terms>(right.worth, left.worth); };
        std::stable_sort(ranking.begin(), ranking.end(), behind);
        std::vector<int> left(coarse.size());
        std::vector<double> none(coarse.size(), 1.0);  // the probability that no card of the class so far is drawn
        for (std::size_t i = 0; i < coarse.size(); ++i) {
            left[i] = coarse[i].count();
        }
        Worths mean{};
        for (double before = 1.0; before > 0.0;) {
            Ranked next = ranking.back();
            ranking.pop_back();
            if (next.open) {
                next = {exact(*next.choice), next.choice, false};
                ranking.insert(std::lower_bound(ranking.begin(), ranking.end(), next, behind), next);
                continue;
            }
            const std::size_t i = next.choice->coarse;
            double now = 0.0;
            if (i != NO_CLASS) {
                left[i] -= next.choice->cards;
                none[i] = binomial(left[i], taken[i]) / binomial(coarse[i].count(), taken[i]);
                now = 1.0;
                for (const double factor : none) {
                    now *= factor;
                }
            }
            if (problem_.luck == Luck::best || (problem_.luck == Luck::worst && now <= 0.0)) {
                return next.worth;
            }
            for (std::size_t term = 0; term < Terms; ++term) {
                mean[term] += next.worth[term] * (before - now);
            }
            before = now;
        }
        return mean;
    }
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
