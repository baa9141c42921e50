// Nature's side of the search: reveals.
#include <algorithm>

#include "cards.hpp"
#include "relax.hpp"
#include "search.hpp"

namespace gizmos {

template <int Terms>
bool Search<Terms>::reveal_matters(const State& state, const Closure& can) const {
    const std::uint8_t kind = state.owed_kind[0];
    if (kind >= owed::research) {
        return true;
    }
    if (kind == owed::draw) {
        return marbles_matter(problem_, state, can);
    }
    if (kind >= owed::refill) {
        const int level = kind - owed::refill;
        return can.main || pool_matters(problem_, state, can, level) || (level == 1 && can.frees > 0) ||
               ((problem_.goal_cards & cards().level(level)).any() && can.takes() > 0);
    }
    // A marble that no later pick can take only tells what draws can still find. That is worth knowing as long as the
    // colours drawn can matter; if only their number does, all that counts is that draws do not run out of marbles.
    const int picks = can.picks + (can.main ? 1 : 0);
    if (kind == owed::row ? picks > 0 : picks > 1) {
        return true;
    }
    return can.draws > 0 && (colors_matter(problem_, can) || state.dispenser.total() <= can.draws + can.picks + 2);
}

template <int Terms>
Value<Terms> Search<Terms>::chance(State state, const Worths& floor) {
    const std::uint8_t kind = state.owed_kind[0];
    if (kind >= owed::refill) {
        return refill(state, kind - owed::refill, floor);
    }
    if (kind == owed::row && problem_.nexts_known(state) > 0) {
        enter_known(state);
        return value(state, floor);
    }
    if (state.dispenser.total() == 0) {
        Moves::pay_owed(state);
        return value(state, floor);
    }
    if (!reveal_matters(state)) {
        ++counters_.reveals_skipped;
        Moves::pay_owed(state);
        return value(state, floor);
    }
    return colors(state, floor);
}

template <int Terms>
void Search<Terms>::enter_known(State& state) const {
    int color = 0;
    if (state.next_used < problem_.nexts.size()) {
        color = problem_.nexts[state.next_used];
        ++state.next_used;
    } else {
        color = state.next_new - 1;
        state.next_new = 0;
    }
    Moves::pay_owed(state);
    state.row += Marbles::one(color);
    if (problem_.preview > problem_.nexts_known(state)) {
        Moves::owe_first(state, owed::next);
    }
}

template <int Terms>
void Search<Terms>::reveal(State& state, int color) const {
    const std::uint8_t kind = state.owed_kind[0];
    Moves::pay_owed(state);
    state.dispenser -= Marbles::one(color);
    if (kind == owed::draw) {
        state.ring += Marbles::one(color);
    } else if (kind == owed::next) {
        state.next_new = static_cast<std::uint8_t>(1 + color);
    } else {
        state.row += Marbles::one(color);
        if (problem_.preview > problem_.nexts_known(state)) {
            Moves::owe_first(state, owed::next);
        }
    }
}

template <int Terms>
Value<Terms> Search<Terms>::colors(const State& state, const Worths& floor) {
    std::vector<Outcome> outcomes;
    for (int color = 0; color < COLORS; ++color) {
        if (state.dispenser[color] > 0) {
            outcomes.push_back({state, static_cast<double>(state.dispenser[color])});
            reveal(outcomes.back().state, color);
        }
    }
    return fold(outcomes, problem_.luck, floor);
}

template <int Terms>
Value<Terms> Search<Terms>::fold(const std::vector<Outcome>& outcomes, Luck luck, const Worths& floor) {
    if constexpr (Terms == 1) {
        if (luck == Luck::average && floored(floor) && outcomes.size() > 1 &&
            problem_.terms[0].measure == Measure::score && can_relax(outcomes.front().state)) {
            return fold_above(outcomes, floor[0]);
        }
    }
    const Worths& passed = outcomes.size() == 1 ? floor : nothing();
    Fold<Terms> fold(luck);
    for (const Outcome& outcome : outcomes) {
        fold.add(value(outcome.state, passed), outcome.weight);
    }
    return fold.result();
}

// Under average luck an outcome has a floor of its own: what it must be worth for the whole to be better than the floor,
// if those to come are worth the most they can be (Ballard's star1).
template <int Terms>
Value<Terms> Search<Terms>::fold_above(const std::vector<Outcome>& outcomes, double floor) {
    double total = 0.0;
    double most = 0.0;  // the sum of what is known and of what can come
    std::vector<double> bounds;
    for (const Outcome& outcome : outcomes) {
        bounds.push_back(first(most_of(outcome.state, nothing())));
        total += outcome.weight;
        most += outcome.weight * bounds.back();
    }
    Worths left;
    left.fill(floor);
    Fold<Terms> fold(Luck::average);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (most <= floor * total) {
            ++counters_.floored;
            return left;
        }
        const double weight = outcomes[i].weight;
        Worths needed;
        needed.fill(bounds[i] - (most - floor * total) / weight);
        const Worths worth = value(outcomes[i].state, needed);
        if (!better<Terms>(worth, needed)) {
            ++counters_.floored;
            return left;
        }
        most -= weight * (bounds[i] - first(worth));
        fold.add(worth, weight);
    }
    return fold.result();
}

template <int Terms>
Value<Terms> Search<Terms>::refill(State state, int level, const Worths& floor) {
    const auto at = static_cast<std::size_t>(level - 1);
    Moves::pay_owed(state);
    if (problem_.deck_size(state, level) == 0) {
        return value(state, floor);
    }
    ++state.shown[at];
    if (problem_.tops_left(state, level) > 0) {
        state.display.add(problem_.tops[at][state.top_used[at]]);
        ++state.top_used[at];
        return value(state, floor);
    }
    if (state.unknown[at] == 0 && state.vague[at] == BY_SET_GONE && state.ordered[at] == 0) {
        state.below[at] = static_cast<std::uint8_t>(state.below[at] - (returned_->spared() ? 0 : 1));
        return value(state, floor);
    }
    if (state.unknown[at] == 0 && state.vague[at] == ANY_GONE && state.ordered[at] == 0) {
        --state.below[at];  // one of those returned, whichever is best or worst for the bound
        ++state.unknown[at];
    }
    if (state.unknown[at] == 0) {
        if (state.ordered[at] == 0) {
            return lost(state);
        }
        state.display.add(state.order[at][0]);
        std::shift_left(state.order[at].begin(), state.order[at].end(), 1);
        state.order[at][MAX_ORDERED - 1] = 0;
        --state.ordered[at];
        return value(state, floor);
    }
    --state.unknown[at];
    const Bits pool = state.pool & cards().level(level);
    State owing = state;
    Moves::owe(owing, static_cast<std::uint8_t>(owed::refill + level), 1);
    const Closure can = closure(problem_, owing, purse_);
    if (!pool.any() || !reveal_matters(owing, can)) {
        ++counters_.reveals_skipped;
        return value(state, floor);
    }
    if (state.vague[at] == BY_SET_GONE) {
        throw Inexpressible();
    }
    Worths worth;
    if (left_open(state, level, can, floor, worth)) {
        ++counters_.refills_open;
        return worth;
    }
    const bool vague = state.vague[at] != 0;
    std::vector<Outcome> outcomes;
    for (const Bits alike : split(state, can, pool)) {
        const int card = alike.first();
        outcomes.push_back({state, static_cast<double>(alike.count())});
        outcomes.back().state.pool.remove(card);
        outcomes.back().state.display.add(card);
    }
    return fold(outcomes, !vague ? problem_.luck : state.bound == UPPER ? Luck::best : Luck::worst, floor);
}

// A card that nobody can take to any use from the display counts only as it is gone from its deck. Cards of level I are
// seldom those that a research wants, so it hardly ever matters which one it was: two bounds that leave it open mostly meet.
template <int Terms>
bool Search<Terms>::left_open(const State& refilled, int level, const Closure& can, const Worths& floor, Worths& worth) {
    const auto at = static_cast<std::size_t>(level - 1);
    const bool taken = can.main || can.frees > 0 || ((problem_.goal_cards & cards().level(level)).any() && can.takes() > 0);
    const int gone = refilled.vague[at];
    if (level != 1 || taken || gone >= BY_SET_GONE) {
        return false;
    }
    State state = refilled;
    ++state.vague[at];
    if (state.bound != EXACT && (state.reserve != 0 || gone > 0)) {
        worth = value(state, floor);
        return true;
    }
    // What follows has an exact value, even where only a bound is asked for.
    const bool exact = state.bound == EXACT || (can.researches == 1 && can.frees == 0);
    if (problem_.luck != Luck::average || !nothing_vague(refilled) || !exact) {
        return false;
    }
    state.bound = UPPER;
    worth = value(state, floor);
    if (!better<Terms>(worth, floor)) {
        return true;
    }
    state.bound = LOWER;
    return !better<Terms>(worth, value(state));
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
