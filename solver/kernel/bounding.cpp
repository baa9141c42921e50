// Cheap bounds in the search: states that they settle, and choices that they order and refute (see relax.cpp).
#include <algorithm>

#include "relax.hpp"
#include "search.hpp"

namespace gizmos {

// True, with the value, if a lower and an upper bound that are cheap meet.
template <int Terms>
bool Search<Terms>::settled(const State& state, const Closure& can, const Worths& floor, Worths& worth) {
    if (!worth_bounding(state, can)) {
        return false;
    }
    const Worths most = most_of(state);
    if (!better<Terms>(most, floor)) {
        worth = most;
        ++counters_.refuted;
        return true;
    }
    const bool enough = state.dispenser.total() > can.picks + can.draws + 2;
    // A converter built for nothing would change what can be paid.
    const bool last_payment = can.researches + (can.deciding ? 1 : 0) == 1 && can.frees == 0;
    if (can.paid() && state.points_per_energy > 0 && last_payment && enough) {
        worth = value(late(relaxed(state, purse_)));
    } else if (can.paid()) {
        worth = value(pinched(state));
    } else if (enough) {
        worth = value(unheard(relaxed(state, purse_)));
    } else {
        return false;
    }
    if (better<Terms>(most, worth)) {
        return false;
    }
    ++counters_.settled;
    return true;
}

// True if bounds by relaxation may spare more than they cost.
template <int Terms>
bool Search<Terms>::worth_bounding(const State& state, const Closure& can) const {
    return Terms == 1 && problem_.terms[0].measure == Measure::score && can_relax(state) &&
           (can.paid() || state.points_per_energy > 0) && can.picks + can.draws > 0 &&
           state.row.total() + state.dispenser.total() > 0;
}

// The most that a state can be worth, marbles relaxed.
template <int Terms>
Value<Terms> Search<Terms>::most_of(const State& state) {
    return value(relaxed(state, purse_));
}

template <int Terms>
bool Search<Terms>::can_bound(const Action& action) const {
    return Terms == 1 && problem_.terms[0].measure == Measure::score && action.next.acted != 0 &&
           can_relax(action.next) && !action.next.seen.any();
}

template <int Terms>
Value<Terms> Search<Terms>::most_of(const Action& action) {
    if (!can_bound(action)) {
        Worths most;
        most.fill(ANYTHING);
        return most;
    }
    return plus(most_of(action.next), action.gain);
}

template <int Terms>
Value<Terms> Search<Terms>::least_of(const Action& action) {
    Worths least = at_once(action);
    if (can_bound(action)) {
        improve<Terms>(least, plus(value(pinched(action.next)), action.gain));
    }
    return least;
}

template <int Terms>
void Search<Terms>::offer(const State& next, const Gain& gain, Choices& choices) {
    choices.any = true;
    if (choices.bounded) {
        choices.held.push_back({{next, gain}, plus(most_of(next), gain)});
    } else {
        improve<Terms>(choices.best, plus(value(next, below(choices.to_beat(), gain)), gain));
    }
}

// The most promising first; those that can't be best are left.
template <int Terms>
void Search<Terms>::settle(Choices& choices) {
    std::stable_sort(choices.held.begin(), choices.held.end(),
                     [](const Held& left, const Held& right) { return better<Terms>(left.most, right.most); });
    for (const Held& held : choices.held) {
        if (!better<Terms>(held.most, choices.to_beat())) {
            ++counters_.refuted;
            continue;
        }
        const Action& action = held.action;
        improve<Terms>(choices.best, plus(value(action.next, below(choices.to_beat(), action.gain)), action.gain));
    }
    choices.held.clear();
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
