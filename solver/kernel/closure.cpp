#include "closure.hpp"

#include <algorithm>

#include "cards.hpp"
#include "matter.hpp"
#include "relax.hpp"

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

// The most that could be paid in a research to come, after so many marbles more and so many builds before it.
Bits affordable_later(const State& state, const Means& now, int incoming, int paid_before, int builds_before) {
    const Bits converters = state.ready & cards().converters();
    const int doubles = Purse::doubles(converters);
    incoming += pays_relaxed(state) ? marbles_waiting(state) : 0;
    const int doubled = std::min(incoming, doubles);
    const int total = (state.purse != 0 ? now[COLORS] : state.ring.total()) + incoming;
    Means later{};
    for (std::size_t color = 0; color <= COLORS; ++color) {
        // A new converter may lift what colours forbid, and a doubler of level II or III adds up to two marbles.
        int limit = total + doubles + 2 * paid_before;
        if (builds_before == 0) {
            limit = std::min(limit, now[color] + incoming + doubled);
        }
        later[color] = static_cast<std::uint8_t>(std::min(limit, HIGHEST_COST));
    }
    return affordable(later, state.discount_from_research + paid_before, state.discount_level_2);
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

// Effects by kind, those of gizmos that could be built on the way included.
struct Effects {
    bool pick, draw, file, free, research;

    [[nodiscard]] unsigned events() const {
        return (pick ? PICK_EVENT : 0U) | (file || research ? FILE_EVENT : 0U) | (free || research ? BUILD_EVENT : 0U);
    }
};

}  // namespace

int steps(const State& state, Effect effect) {
    int sum = state.pending == effect ? state.pending_left : 0;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (cards().kind(kind).effect == effect) {
            sum += cards().kind(kind).amount * state.waiting[static_cast<std::size_t>(kind)];
        }
    }
    return sum;
}

void drop(State& state, Effect effect) {
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (cards().kind(kind).effect == effect) {
            state.waiting[static_cast<std::size_t>(kind)] = 0;
        }
    }
    if (state.pending == effect) {
        state.pending = Effect::none;
        state.pending_left = state.pending_started = 0;
    }
}

Closure closure(const Problem& problem, const State& state, Purse& purse) {
    const CardTable& table = cards();
    Closure result;
    if (state.ended != 0) {
        return result;
    }
    result.main = state.acted == 0;
    result.deciding = state.research_level != 0;
    const bool research_allowed =
        state.can_research != 0 &&
        (result.deciding || problem.deck_size(state, 1) > 0 || problem.deck_size(state, 2) > 0 || problem.deck_size(state, 3) > 0);
    const bool file_allowed = state.can_file != 0;

    const Means* now = nullptr;
    Bits affordable_now;
    Means in_purse{};
    if (state.purse != 0) {
        in_purse = means_of(state);
        now = &in_purse;
    }
    if (result.deciding) {
        if (now == nullptr) {
            now = &purse.means(state.ring, state.ready & table.converters());
        }
        affordable_now = affordable(*now, state.discount_from_research, state.discount_level_2);
    }

    unsigned first = 0;
    if (result.main) {
        first = PICK_EVENT | FILE_EVENT | BUILD_EVENT;
    } else if (result.deciding) {
        first = FILE_EVENT | BUILD_EVENT;
    }
    if (hears_picks(state)) {
        first |= PICK_EVENT;
    }
    const Bits unplaced = state.pool | state.display | state.archive | state.seen | placed_in_decks(problem, state);
    const bool research_next = !result.main && !result.deciding && only_waiting(state, {Effect::research});
    const bool refilling = state.owed_runs > 0 && state.owed_kind[0] < owed::research;
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
        after |= first & (builds > 0 && hears_picks(state) ? PICK_EVENT : 0U);
        const auto most_steps = [&](Effect effect) {
            return amount_sum(coming & table.with(effect)) + steps(state, effect) +
                   builds * most(made & table.with(effect));
        };
        result.picks = effects.pick ? most_steps(Effect::pick) : 0;
        result.draws = effects.draw ? most_steps(Effect::draw) : 0;
        Bits buildable;
        if (result.main) {
            buildable = unplaced;
        }
        if (effects.research) {
            if (now == nullptr) {
                now = &purse.means(state.ring, state.ready & table.converters());
            }
            if (research_next && result.researches == 1) {
                result.useful = affordable(*now, state.discount_from_research, state.discount_level_2);
            } else {
                const int paid_before = result.researches - 1 + (result.deciding ? 1 : 0) + (result.main ? 1 : 0);
                result.useful = affordable_later(state, *now, result.picks + result.draws + (result.main ? 1 : 0),
                                                 paid_before, builds - 1);
            }
            buildable |= unplaced & result.useful;
        }
        if (result.deciding) {
            buildable |= (state.seen | (unplaced & table.level(state.research_level))) & affordable_now;
        }
        if (effects.free) {
            // A card that lies in the pool now must come to the display first, for which another has to be taken.
            const bool first_taken = builds == 1 && !effects.file && !refilling;
            buildable |= (first_taken ? state.display | state.archive : unplaced) & table.level(1);
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
    result.made = made;
    result.events = first | later;
    result.after_build = after;
    if (effects.file && (state.archive_space > 0 || builds > 0)) {
        result.files = (coming & table.with(Effect::file)).count() + waiting[static_cast<std::size_t>(Effect::file)] +
                       std::min(builds, (made & table.with(Effect::file)).count());
    }
    result.more_researches = builds > 1 && effects.research;
    result.more_files = result.files > 0 || result.more_researches;
    if (result.frees > 0) {
        result.useful |= table.level(1);
    }
    result.useful |= problem.goal_cards;
    result.usable = result.useful | affordable_now;
    return result;
}

}  // namespace gizmos
