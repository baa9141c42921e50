#include "closure.hpp"

#include <algorithm>

#include "cards.hpp"

namespace gizmos {

namespace {

Bits listening(unsigned events) {
    Bits all;
    if ((events & PICK_EVENT) != 0) {
        for (int color = 0; color < COLORS; ++color) {
            all |= cards().on_pick(color);
        }
    }
    if ((events & FILE_EVENT) != 0) {
        all |= cards().on_file();
    }
    if ((events & BUILD_EVENT) != 0) {
        all |= cards().on_build(ANY_COLOR) | cards().on_build_from_archive() | cards().on_build_level_2();
    }
    return all;
}

// The listeners by the set of events, made once.
Bits listeners(unsigned events) {
    static const std::array<Bits, 8> known = [] {
        std::array<Bits, 8> sets;
        for (unsigned each_events = 0; each_events < 8; ++each_events) {
            sets[each_events] = listening(each_events);
        }
        return sets;
    }();
    return known[events];
}

int amount_sum(Bits gizmos) {
    int sum = 0;
    for (const int gizmo : each(gizmos)) {
        sum += cards()[gizmo].amount;
    }
    return sum;
}

int most(Bits gizmos) {
    int best = 0;
    for (const int gizmo : each(gizmos)) {
        best = std::max(best, cards()[gizmo].amount);
    }
    return best;
}

// How many effects wait to be carried out, the pending one included.
std::array<int, EFFECTS> effects_waiting(const State& state) {
    std::array<int, EFFECTS> waiting{};
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        waiting[static_cast<std::size_t>(cards().kind(kind).effect)] += state.waiting[static_cast<std::size_t>(kind)];
    }
    if (state.pending != Effect::none) {
        ++waiting[static_cast<std::size_t>(state.pending)];
    }
    return waiting;
}

// How many single picks or draws these come to.
int steps_waiting(const State& state, Effect effect) {
    int steps = state.pending == effect ? state.pending_left : 0;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (cards().kind(kind).effect == effect) {
            steps += cards().kind(kind).amount * state.waiting[static_cast<std::size_t>(kind)];
        }
    }
    return steps;
}

Bits known_in_decks(const Problem& problem, const State& state) {
    Bits known = problem.known;
    for (std::size_t at = 0; at < 3; ++at) {
        for (std::size_t i = 0; i < state.ordered[at]; ++i) {
            known.add(state.order[at][i]);
        }
    }
    return known;
}

// Effects by kind, those of gizmos that could be built on the way included.
struct Effects {
    bool pick, draw, file, free, research;

    [[nodiscard]] unsigned events() const {
        return (pick ? PICK_EVENT : 0U) | (file || research ? FILE_EVENT : 0U) | (free || research ? BUILD_EVENT : 0U);
    }
};

}  // namespace

Closure closure(const Problem& problem, const State& state) {
    const CardTable& table = cards();
    Closure result;
    if (state.ended != 0) {
        return result;
    }
    result.main = state.acted == 0;
    result.deciding = state.research_level != 0;
    const bool research_allowed =
        state.can_research != 0 &&
        (problem.deck_size(state, 1) > 0 || problem.deck_size(state, 2) > 0 || problem.deck_size(state, 3) > 0);
    const bool file_allowed = state.can_file != 0;

    unsigned first = 0;
    if (result.main) {
        first = PICK_EVENT | FILE_EVENT | BUILD_EVENT;
    } else if (result.deciding) {
        first = FILE_EVENT | BUILD_EVENT;
    }
    const Bits unplaced = state.pool | state.display | state.archive | state.seen | known_in_decks(problem, state);
    const std::array<int, EFFECTS> waiting = effects_waiting(state);
    Bits coming;
    Bits made;  // gizmos that may be built on the way and then be triggered
    Effects effects{};
    unsigned later = 0;
    unsigned after = 0;
    int builds = 0;
    while (true) {
        const auto can = [&](Effect effect) {
            return waiting[static_cast<std::size_t>(effect)] > 0 || ((coming | made) & table.with(effect)).any();
        };
        effects = {can(Effect::pick), can(Effect::draw), can(Effect::file) && file_allowed, can(Effect::free_build),
                   can(Effect::research) && research_allowed};
        const auto count = [&](Effect effect) {
            return ((coming | made) & table.with(effect)).count() + waiting[static_cast<std::size_t>(effect)];
        };
        result.researches = effects.research ? count(Effect::research) : 0;
        result.frees = effects.free ? count(Effect::free_build) : 0;
        builds = result.researches + result.frees + (result.main ? 1 : 0) + (result.deciding ? 1 : 0);
        later = effects.events();
        // A gizmo is not triggered by its own build: with a single build to come, only the other effects can do it.
        after = builds > 1    ? later
                : builds == 1 ? (effects.pick ? PICK_EVENT : 0U) | (effects.file ? FILE_EVENT : 0U)
                              : 0U;
        Bits buildable;
        if (result.main || effects.research) {
            buildable = unplaced;
        } else {
            if (result.deciding) {
                buildable = state.seen | (unplaced & table.level(state.research_level));
            }
            if (effects.free) {
                buildable |= unplaced & table.level(1);
            }
        }
        const Bits own = coming | (state.ready & listeners(first | later));
        const Bits others = made | (buildable & listeners(after));
        if (own == coming && others == made) {
            break;
        }
        coming = own;
        made = others;
    }
    result.coming = coming;
    result.events = first | later;
    result.after_build = after;
    if (effects.file && (state.archive_space > 0 || builds > 0)) {
        result.files = (coming & table.with(Effect::file)).count() + waiting[static_cast<std::size_t>(Effect::file)] +
                       std::min(builds, (made & table.with(Effect::file)).count());
    }
    result.more_researches = builds > 1 && effects.research;
    result.more_files = result.files > 0 || result.more_researches;
    const auto steps = [&](Effect effect) {
        return amount_sum(coming & table.with(effect)) + steps_waiting(state, effect) +
               builds * most(made & table.with(effect));
    };
    result.picks = effects.pick ? steps(Effect::pick) : 0;
    result.draws = effects.draw ? steps(Effect::draw) : 0;

    return result;
}

}  // namespace gizmos
