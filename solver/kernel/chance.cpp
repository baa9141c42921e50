// Nature's side of the search: reveals.
#include <algorithm>
#include <stdexcept>

#include "cards.hpp"
#include "search.hpp"

namespace gizmos {

template <int Terms>
bool Search<Terms>::reveal_matters(const State& state) const {
    const Closure can = closure(problem_, state);
    const std::uint8_t kind = state.owed_kind[0];
    if (kind >= owed::research) {
        return true;
    }
    if (kind == owed::draw) {
        return marbles_matter(problem_, state, can);
    }
    if (kind >= owed::refill) {
        const int level = kind - owed::refill;
        return can.main || can.researches > 0 || (level == 1 && can.frees > 0) ||
               ((problem_.goal_cards & cards().level(level)).any() && can.takes() > 0);
    }
    // A marble that no later pick can take is still in the dispenser as far as draws can tell (each is as likely to be
    // drawn before as after); unless so few are left that draws could run out of them.
    const int picks = can.picks + (can.main ? 1 : 0);
    const bool enough = state.dispenser.total() > can.draws + can.picks + 2;
    const bool late = kind == owed::row ? picks == 0 : picks <= 1;
    return !(late && (enough || (picks == 0 && can.draws == 0)));
}

template <int Terms>
Value<Terms> Search<Terms>::chance(State state, const Closure& can) {
    const std::uint8_t kind = state.owed_kind[0];
    if (kind >= owed::refill) {
        return refill(state, can, kind - owed::refill);
    }
    if (kind == owed::row && problem_.nexts_known(state) > 0) {
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
            // What is owed now comes before all else.
            State first = state;
            first.owed_runs = 0;
            first.owed_kind = first.owed_count = {};
            Moves::owe(first, owed::next, 1);
            for (std::size_t i = 0; i < state.owed_runs; ++i) {
                Moves::owe(first, state.owed_kind[i], state.owed_count[i]);
            }
            state = first;
        }
        return value(state);
    }
    if (state.dispenser.total() == 0) {
        Moves::pay_owed(state);
        return value(state);
    }
    if (!reveal_matters(state)) {
        ++counters_.reveals_skipped;
        Moves::pay_owed(state);
        return value(state);
    }
    return colors(state, kind);
}

template <int Terms>
Value<Terms> Search<Terms>::colors(const State& state, std::uint8_t kind) {
    Fold<Terms> fold(problem_.luck);
    for (int color = 0; color < COLORS; ++color) {
        const int there = state.dispenser[color];
        if (there == 0) {
            continue;
        }
        State next = state;
        Moves::pay_owed(next);
        next.dispenser -= Marbles::one(color);
        if (kind == owed::draw) {
            next.ring += Marbles::one(color);
        } else if (kind == owed::next) {
            next.next_new = static_cast<std::uint8_t>(1 + color);
        } else {
            next.row += Marbles::one(color);
            if (problem_.preview > problem_.nexts_known(next)) {
                State first = next;
                first.owed_runs = 0;
                first.owed_kind = first.owed_count = {};
                Moves::owe(first, owed::next, 1);
                for (std::size_t i = 0; i < next.owed_runs; ++i) {
                    Moves::owe(first, next.owed_kind[i], next.owed_count[i]);
                }
                next = first;
            }
        }
        fold.add(value(next), there);
    }
    return fold.result();
}

template <int Terms>
Value<Terms> Search<Terms>::refill(State state, const Closure& can, int level) {
    const auto at = static_cast<std::size_t>(level - 1);
    Moves::pay_owed(state);
    if (problem_.deck_size(state, level) == 0) {
        return value(state);
    }
    ++state.shown[at];
    if (problem_.tops_left(state, level) > 0) {
        state.display.add(problem_.tops[at][state.top_used[at]]);
        ++state.top_used[at];
        return value(state);
    }
    if (state.unknown[at] == 0) {
        if (state.ordered[at] == 0) {
            throw std::length_error("a card at the bottom of a deck was reached whose place the kernel does not keep");
        }
        state.display.add(state.order[at][0]);
        std::shift_left(state.order[at].begin(), state.order[at].end(), 1);
        state.order[at][MAX_ORDERED - 1] = 0;
        --state.ordered[at];
        return value(state);
    }
    --state.unknown[at];
    const Bits pool = state.pool & cards().level(level);
    State owing = state;
    Moves::owe(owing, static_cast<std::uint8_t>(owed::refill + level), 1);
    if (!pool.any() || !reveal_matters(owing)) {
        ++counters_.reveals_skipped;
        return value(state);
    }
    Fold<Terms> fold(problem_.luck);
    for (const Bits alike : split(state, can, pool)) {
        State next = state;
        const int card = alike.first();
        next.pool.remove(card);
        next.display.add(card);
        fold.add(value(next), alike.count());
    }
    return fold.result();
}

template <int Terms>
typename Search<Terms>::Drawing Search<Terms>::drawing(const State& state) const {
    Drawing result{state, {}, {}, 0};
    State& after = result.state;
    const int level = state.research_level;
    const auto at = static_cast<std::size_t>(level - 1);
    result.pool = state.pool & cards().level(level);
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
        } else if (after.below[at] > 0) {
            throw std::length_error("a card at the bottom of a deck was reached whose place the kernel does not keep");
        }
    }
    result.certain = after.seen;
    return result;
}

template <int Terms>
bool Search<Terms>::set_matters(const State& state) const {
    return pool_matters(problem_, closure(problem_, state), state.research_level);
}

template <int Terms>
Value<Terms> Search<Terms>::research(const State& state, const Closure& can) {
    const Drawing draw = drawing(state);
    if (draw.drawn == 0) {
        return value(draw.state);
    }
    return pool_matters(problem_, can, state.research_level) ? sets_seen(draw, can) : best_seen(draw);
}

// No later reveal of the deck matters: a card is worth what it is worth alone, and the best of those drawn counts.
template <int Terms>
Value<Terms> Search<Terms>::best_seen(const Drawing& draw) {
    State state = draw.state;
    const auto at = static_cast<std::size_t>(state.research_level - 1);
    state.pool &= ~cards().level(state.research_level);
    State none = state;
    none.below[at] = static_cast<std::uint8_t>(none.below[at] + draw.drawn);
    Worths floor = after_research(none);
    const Closure can = closure(problem_, draw.state);
    for (const Bits alike : split(none, can, draw.certain)) {
        keep(none, can, alike.first(), floor);
    }
    std::vector<Worth<Terms>> worths;
    for (const Bits alike : split(none, can, draw.pool)) {
        const int card = alike.first();
        State seen = state;
        seen.seen.add(card);
        seen.below[at] = static_cast<std::uint8_t>(seen.below[at] + draw.drawn - 1);
        Worths worth = floor;
        keep(seen, can, card, worth);
        worths.push_back({worth, alike.count()});
    }
    return best_of_drawn<Terms>(problem_.luck, worths, draw.drawn, floor);
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

// The set of cards seen counts: every multiset of classes of alike cards is looked at.
template <int Terms>
Value<Terms> Search<Terms>::sets_seen(const Drawing& draw, const Closure& can) {
    const std::vector<Bits> classes = split(draw.state, can, draw.pool);
    Fold<Terms> fold(problem_.luck);
    const auto choose = [&](const auto& self, std::size_t from, int left, State state, double weight) -> void {
        if (left == 0) {
            fold.add(value(state), weight);
            return;
        }
        if (from == classes.size()) {
            return;
        }
        Bits members = classes[from];
        const int there = members.count();
        for (int taken = 0; taken <= std::min(there, left); ++taken) {
            self(self, from + 1, left - taken, state, weight * binomial(there, taken));
            if (taken < there) {
                const int card = members.pop();
                state.pool.remove(card);
                state.seen.add(card);
            }
        }
    };
    choose(choose, 0, draw.drawn, draw.state, 1.0);
    return fold.result();
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
