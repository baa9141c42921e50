// Researches of which it counts how many cards of each coarse class are seen: (2) in research.cpp.
#include <algorithm>

#include "cards.hpp"
#include "choice.hpp"
#include "search.hpp"

namespace gizmos {

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
    // The coarse classes, and to which of them each choice belongs.
    std::vector<Bits> coarse = split(merged.state, merged.closure, draw.pool);
    for (Choice& choice : choices) {
        while (!coarse[choice.coarse].has(choice.card)) {
            ++choice.coarse;
        }
    }
    return fold_counts(draw, coarse, choices, floor);
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
            choice.dependent.push_back(way);
            choice.kept.push_back(kept);
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
    std::vector<Ranked> ranking;
    const auto best_way = [&](const Choice& choice, const Bits& gone) {
        Worths best = choice.alone;
        for (const Action& way : choice.dependent) {
            State after = way.next;
            after.pool &= ~gone;
            improve<Terms>(best, plus(value(after, below(best, way.gain)), way.gain));
        }
        return best;
    };
    const auto removed = [&](std::size_t own) {
        Bits gone;
        for (std::size_t i = 0; i < classes; ++i) {
            Bits members = coarse[i];
            for (int left = taken[i] - (i == own ? 1 : 0); left > 0; --left) {
                gone.add(members.pop());
            }
        }
        return gone;
    };
    const auto value_of_counts = [&] {
        pulse_.beat();
        ++counters_.sets;
        const Worths sure = floor.dependent.empty() ? floor.alone : best_way(floor, removed(classes));
        ranking.clear();
        for (const Choice& choice : choices) {
            if (taken[choice.coarse] == 0) {
                continue;
            }
            Worths worth = choice.alone;
            if (!choice.dependent.empty()) {
                // Any other members of its class will do, as long as it is not among them.
                Bits gone;
                for (std::size_t i = 0; i < classes; ++i) {
                    Bits members = coarse[i] & ~Bits::of(choice.card);
                    for (int left = taken[i] - (i == choice.coarse ? 1 : 0); left > 0; --left) {
                        gone.add(members.pop());
                    }
                }
                worth = best_way(choice, gone);
            }
            improve<Terms>(worth, sure);
            ranking.push_back({worth, choice.coarse, choice.cards});
        }
        std::stable_sort(ranking.begin(), ranking.end(),
                         [](const Ranked& left, const Ranked& right) { return ahead<Terms>(left.worth, right.worth); });
        return best_of_counts(ranking, coarse, taken);
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

// The best card when so many are drawn of each class, every subset of a class being equally likely.
template <int Terms>
Value<Terms> Search<Terms>::best_of_counts(const std::vector<Ranked>& ranking, const std::vector<Bits>& coarse,
                                           const std::vector<int>& taken) const {
    if (problem_.luck == Luck::best) {
        return ranking.front().worth;
    }
    std::vector<int> left(coarse.size());
    std::vector<double> none(coarse.size(), 1.0);  // the probability that no card of the class so far is drawn
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        left[i] = coarse[i].count();
    }
    if constexpr (Terms == BY_SET) {
        throw Inexpressible();
    } else {
        Worths mean{};
        double before = 1.0;
        for (const Ranked& next : ranking) {
            const std::size_t i = next.coarse;
            left[i] -= next.cards;
            none[i] = binomial(left[i], taken[i]) / binomial(coarse[i].count(), taken[i]);
            if (problem_.luck == Luck::worst) {
                if (left[i] < taken[i]) {
                    return next.worth;
                }
                continue;
            }
            double now = 1.0;
            for (const double factor : none) {
                now *= factor;
            }
            for (std::size_t term = 0; term < Terms; ++term) {
                mean[term] += next.worth[term] * (before - now);
            }
            before = now;
            if (now <= 0.0) {
                break;
            }
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
