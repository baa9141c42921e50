// All actions of a position, one by one: what the search itself merges is told apart here.
#include "cards.hpp"
#include "search.hpp"

namespace gizmos {

template <int Terms>
typename Search<Terms>::List Search<Terms>::actions(const State& state, const std::vector<int>& waiting) {
    List list;
    if (state.research_level != 0) {
        if (Moves::can_file(state)) {
            list_files(state, state.seen, Source::research, {}, list);
        }
        list_builds(state, state.seen, Source::research, list);
        add(state, {}, list);
        return list;
    }
    if (state.pending != Effect::none) {
        list_effect(state, state.pending, {}, list);
        if (state.pending_started != 0 || list.empty()) {
            State next = state;
            moves_.skip(next);
            add(next, {}, list);
        }
        return list;
    }
    if (state.acted != 0) {
        for (const int gizmo : waiting) {
            State begun = state;
            Gain gain;
            moves_.begin(begun, cards().kind_of(gizmo), gain);
            list_effect(begun, cards()[gizmo].effect, gain, list);
        }
    } else {
        list_effect(state, Effect::pick, {}, list);
        list_effect(state, Effect::file, {}, list);
        list_builds(state, state.display, Source::display, list);
        list_builds(state, state.archive, Source::archive, list);
        list_effect(state, Effect::research, {}, list);
    }
    if (state.acted != 0 || list.empty()) {
        State over = state;
        moves_.end_turn(over);
        add(over, {}, list);
    }
    return list;
}

template <int Terms>
void Search<Terms>::list_effect(const State& state, Effect what, Gain gain, List& list) {
    switch (what) {
        case Effect::pick:
            for (int color = 0; color < COLORS && state.room() > 0; ++color) {
                if (state.row[color] > 0) {
                    State next = state;
                    moves_.pick(next, color);
                    add(next, gain, list);
                }
            }
            break;
        case Effect::draw:
            if (state.room() > 0 && state.dispenser.total() > 0) {
                State next = state;
                moves_.draw(next);
                add(next, gain, list);
            }
            break;
        case Effect::file:
            if (Moves::can_file(state)) {
                list_files(state, state.display, Source::display, gain, list);
            }
            break;
        case Effect::free_build:
            for (const Source source : {Source::display, Source::archive}) {
                const Bits there = source == Source::display ? state.display : state.archive;
                for (const int card : each(there & cards().level(1))) {
                    State next = state;
                    Gain all = gain;
                    moves_.build(next, card, source, {}, all);
                    add(next, all, list);
                }
            }
            break;
        case Effect::research:
            for (int level = 1; level <= 3 && state.can_research != 0; ++level) {
                if (problem_.deck_size(state, level) > 0) {
                    State next = state;
                    moves_.research(next, level);
                    add(next, gain, list);
                }
            }
            break;
        case Effect::points: {
            State next = state;
            Gain all = gain;
            moves_.take_points(next, state.pending_left, all);
            add(next, all, list);
            break;
        }
        case Effect::none:
            break;
    }
}

template <int Terms>
void Search<Terms>::list_files(const State& state, Bits set, Source source, Gain gain, List& list) {
    for (const int card : each(set)) {
        State next = state;
        moves_.file(next, card, source);
        add(next, gain, list);
    }
}

template <int Terms>
void Search<Terms>::list_builds(const State& state, Bits set, Source source, List& list) {
    for (const int card : each(set)) {
        const Card& wanted = cards()[card];
        const auto ways = paid_by(wanted.colors, Moves::least_price(state, wanted, source), wanted.cost, state.ring,
                                  state.ready & cards().converters());
        for (const Payment& payment : ways) {
            State next = state;
            Gain gain;
            moves_.build(next, card, source, payment, gain);
            add(next, gain, list);
        }
    }
}

template <int Terms>
void Search<Terms>::add(const State& next, Gain gain, List& list) {
    list.push_back({next, gain});
}

template <int Terms>
Value<Terms> Search<Terms>::value(const Action& action, const Worths& floor) {
    const State& next = action.next;
    const Worths under = below(floor, action.gain);
    return plus(next.research_level != 0 && next.owed_runs == 0 ? after_research(next, under) : value(next, under),
                action.gain);
}

template <int Terms>
Value<Terms> Search<Terms>::bound(const Action& action, Bound bound, const Worths& floor) {
    Action asked = action;
    asked.next.bound = bound;
    return value(asked, floor);
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
