// The search's side of a research: which cards are seen, and what they are worth.
//
// Let P be the unknown cards that may be seen, S the drawn ones. Keeping a card c in some way is worth V(c, S), where S
// counts only because the cards returned are no longer in the pool. Three cases, the simplest that holds is taken:
//  1. V(c, S) = V(c) for all c: the best of S counts, an order statistic (`best_seen`).
//  2. V(c, S) depends on how many cards of each of a few coarse classes S holds: these are the classes of cards that are
//     alike in what is left of the turn after the choice, where most cards can't be paid for any more. For fixed counts
//     the cards of a class are drawn independently of those of another, so the best of S is again an order statistic
//     (`counts_seen`).
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
