// Cheap bounds in the search: states that they settle, and choices that they order and refute (see relax.cpp).
#include <algorithm>
#include <cstring>

#include "relax.hpp"
#include "search.hpp"

namespace gizmos {

namespace {

Marbles largest(Marbles left, Marbles right) {
    Marbles result;
    for (int color = 0; color < COLORS; ++color) {
        result += {static_cast<std::uint32_t>(std::max(left[color], right[color])) << (8 * color)};
    }
    return result;
}

// True if the dispenser has a marble for each that can come, and for the row. An empty row stays empty: only picks fill it.
bool enough(const State& state, const Closure& can) {
    return state.dispenser.total() > can.picks + can.draws + 2 && (can.picks == 0 || state.row.total() > 0);
}

}  // namespace

// True, with the value, if a lower and an upper bound that are cheap meet.
template <int Terms>
bool Search<Terms>::settled(const State& state, const Closure& can, const Worths& floor, Worths& worth) {
    if (floored(floor)) {
        worth = most_of_last_build(state, can, floor);
        if (!better<Terms>(worth, floor)) {
            ++counters_.refuted;
            return true;
        }
    }
    if (!worth_bounding(state, can)) {
        return false;
    }
    const Worths most = can.paid() ? most_of(state, floor) : value(counted_all(state, ANY_COLOR, UPPER), floor);
    if (!better<Terms>(most, floor)) {
        worth = most;
        ++counters_.refuted;
        return true;
    }
    // Only whether the lower bound is as high as the upper one counts.
    Worths short_of = nothing();
    if constexpr (Terms == 1) {
        short_of[0] = most[0] - EQUAL;
    }
    if (enough(state, can)) {
        worth = value(counted_all(state, state.row.colors(), LOWER), short_of);
    } else if (can.paid()) {
        worth = value(pinched(state), short_of);
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
    return Terms <= 1 && problem_.terms[0].measure == Measure::score && can_relax(state) &&
           (can.paid() || state.points_per_energy > 0) && can.picks + can.draws > 0 &&
           state.row.total() + state.dispenser.total() > 0;
}

// The most that a state can be worth, marbles relaxed.
template <int Terms>
Value<Terms> Search<Terms>::most_of(const State& state, const Worths& floor) {
    return value(relaxed(state), floor);
}

template <int Terms>
bool Search<Terms>::can_bound(const Action& action) const {
    return Terms <= 1 && problem_.terms[0].measure == Measure::score && action.next.acted != 0 &&
           can_relax(action.next) && !action.next.seen.any();
}

template <int Terms>
Value<Terms> Search<Terms>::most_of(const Action& action, const Worths& floor) {
    if (!can_bound(action)) {
        Worths most;
        most.fill(ANYTHING);
        return most;
    }
    return plus(most_of(action.next, below(floor, action.gain)), action.gain);
}

template <int Terms>
Value<Terms> Search<Terms>::least_of(const Action& action, const Worths& floor) {
    Worths least = at_once(action);
    if (can_bound(action)) {
        const State& state = action.next;
        const Closure can = closure(problem_, state, purse_);
        const State bounded = enough(state, can) ? counted_all(state, state.row.colors(), LOWER) : pinched(state);
        const Worths other = plus(value(bounded, below(floor, action.gain)), action.gain);
        if (better<Terms>(other, floor)) {
            improve<Terms>(least, other);
        }
    }
    return least;
}

template <int Terms>
void Search<Terms>::offer(const State& next, const Gain& gain, Choices& choices) {
    choices.any = true;
    if (choices.bounded) {
        choices.held.push_back({{next, gain}, plus(most_of(next, below(choices.to_beat(), gain)), gain)});
    } else {
        improve<Terms>(choices.best, plus(value(next, below(choices.to_beat(), gain)), gain));
    }
}

// Payments leave many rings behind: those that differ only in what they can pay in each colour are first bounded together,
// by a relaxed state that can pay whatever any of them can.
template <int Terms>
void Search<Terms>::offer_promising(const std::vector<Action>& ways, Choices& choices) {
    struct Group {
        State rest;  // all but the marbles
        Marbles ring;
        Marbles any;  // those that pay any colour
        std::vector<const Action*> ways;
    };
    std::vector<Group> groups;
    for (const Action& way : ways) {
        State rest = relaxed(way.next);
        const Marbles ring = rest.ring;
        const Marbles any = rest.dispenser;
        rest.ring = rest.dispenser = Marbles{};
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return std::memcmp(&group.rest, &rest, sizeof(State)) == 0;
        });
        if (same == groups.end()) {
            groups.push_back({rest, ring, any, {&way}});
        } else {
            same->ring = largest(same->ring, ring);
            same->any = largest(same->any, any);
            same->ways.push_back(&way);
        }
    }
    for (Group& group : groups) {
        const Action& any = *group.ways.front();
        if (group.ways.size() > 2) {
            group.rest.ring = group.ring;
            group.rest.dispenser = group.any;
            const Worths most = plus(value(group.rest, below(choices.to_beat(), any.gain)), any.gain);
            if (!better<Terms>(most, choices.to_beat())) {
                choices.any = true;
                counters_.refuted += group.ways.size();
                continue;
            }
        }
        for (const Action* way : group.ways) {
            offer(way->next, way->gain, choices);
        }
    }
}

// The most promising first; those that can't be best are left.
template <int Terms>
void Search<Terms>::settle(Choices& choices) {
    std::stable_sort(choices.held.begin(), choices.held.end(),
                     [](const Held& left, const Held& right) { return ahead<Terms>(left.most, right.most); });
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
template class Search<BY_SET>;

}  // namespace gizmos
