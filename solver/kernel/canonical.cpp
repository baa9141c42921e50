#include "canonical.hpp"

#include <algorithm>

#include "cards.hpp"
#include "matter.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

// Nothing that picks or draws matters any more.
void drop_moves(State& state) {
    state.ring_limit = 0;
    state.next_used = state.next_new = 0;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        const Effect effect = cards().kind(kind).effect;
        if (effect == Effect::pick || effect == Effect::draw) {
            state.waiting[static_cast<std::size_t>(kind)] = 0;
        }
    }
    if (state.pending == Effect::pick || state.pending == Effect::draw) {
        state.pending = Effect::none;
        state.pending_left = state.pending_started = 0;
    }
    state.ready &= ~(cards().with(Effect::pick) | cards().with(Effect::draw));
}

void drop_marbles(State& state) {
    state.ring = state.row = state.dispenser = Marbles{};
    state.purse = state.reserve = 0;
    drop_moves(state);
}

// Colours count only through the gizmos that picking them triggers: those that trigger the same are one.
void merge_colors(State& state, const Closure& closure) {
    const Bits listening = closure.coming | closure.made;
    std::array<int, COLORS> first{};
    for (int color = 0; color < COLORS; ++color) {
        while ((cards().on_pick(first[static_cast<std::size_t>(color)]) & listening) != (cards().on_pick(color) & listening)) {
            ++first[static_cast<std::size_t>(color)];
        }
    }
    const auto merged = [&](Marbles marbles) {
        Marbles result;
        for (int color = 0; color < COLORS; ++color) {
            result += {static_cast<std::uint32_t>(marbles[color]) << (8 * first[static_cast<std::size_t>(color)])};
        }
        return result;
    };
    state.row = merged(state.row);
    state.dispenser = merged(state.dispenser);
    if (state.next_new != 0) {
        state.next_new = static_cast<std::uint8_t>(1 + first[state.next_new - 1U]);
    }
}

void canonicalise_marbles(const Problem& problem, State& state, const Closure& closure) {
    if (!marbles_matter(problem, state, closure)) {
        drop_marbles(state);
        return;
    }
    const int incoming = closure.picks + closure.draws + marbles_waiting(state);
    if (state.reserve != 0 && !was_relaxed(state)) {
        state.dispenser = Marbles{};
        const Bits listening = (closure.coming | closure.made) & cards().on_pick();
        if (looks_into_row(state) && (closure.picks + state.next_new == 0 || !listening.any())) {
            state.row = Marbles{};
            state.next_new = 0;
        }
        if (!closure.paid()) {
            state.ring = {static_cast<std::uint32_t>(state.ring.total() + state.next_used)};
            state.next_used = 0;
        }
        if (state.ring_limit - state.ring.total() >= closure.picks + closure.draws + state.next_used) {
            state.ring_limit = NO_LIMIT;
        }
        return;
    }
    if (pays_relaxed(state)) {
        if (state.ring_limit - (state.purse - 1) >= incoming) {
            state.ring_limit = NO_LIMIT;
        }
        if (!closure.paid()) {
            state.ring = state.dispenser = Marbles{};
            state.purse = static_cast<std::uint8_t>(std::max(1, state.purse - state.next_new));
            state.next_new = 0;
        }
    }
    if (state.purse != 0) {
        return;
    }
    if (state.room() >= incoming) {
        state.ring_limit = NO_LIMIT;
    }
    const bool colors = colors_matter(problem, closure);
    if (!colors) {
        state.ring = {static_cast<std::uint32_t>(state.ring.total())};
    }
    if (closure.picks == 0) {
        state.row = Marbles{};
    }
    if (closure.picks == 0 || (closure.picks == 1 && closure.draws == 0)) {
        state.next_used = state.next_new = 0;
    }
    if (closure.draws == 0 && closure.picks <= 1) {
        state.dispenser = Marbles{};
    }
    if (!colors) {
        if (closure.picks == 0) {
            state.row = Marbles{};
            state.dispenser = {static_cast<std::uint32_t>(std::min(state.dispenser.total(), incoming + 1))};
        } else {
            merge_colors(state, closure);
        }
    }
}

// Known cards at the bottom that can only be filed, to no further use, change their names with the lowest such cards.
void forget_useless(const Problem& problem, State& state, const Closure& closure, int level) {
    if (closure.main) {
        return;
    }
    const auto at = static_cast<std::size_t>(level - 1);
    const Bits fixed = state.display | state.archive | state.seen | state.ready | problem.known | problem.goal_cards;
    const Bits useless = cards().level(level) & ~closure.usable & ~fixed;
    Bits there;
    for (std::size_t i = 0; i < state.ordered[at]; ++i) {
        there |= useless & Bits::of(state.order[at][i]);
    }
    const Bits names = lowest(useless, there.count());
    Bits left = names;
    for (std::size_t i = 0; i < state.ordered[at]; ++i) {
        if (there.has(state.order[at][i])) {
            state.order[at][i] = static_cast<std::uint8_t>(left.pop());
        }
    }
    state.pool = (state.pool & ~names) | lowest(there & ~names, (state.pool & names).count());
}

void canonicalise_decks(const Problem& problem, State& state, const Closure& closure) {
    const bool takes_displayed = closure.files > 0 || closure.frees > 0;
    for (int level = 1; level <= 3; ++level) {
        const auto at = static_cast<std::size_t>(level - 1);
        Bits kept = problem.goal_cards;
        if (level == 1 && closure.frees > 0) {
            kept |= cards().level(1);
        }
        if (!takes_displayed) {
            kept = Bits{};
        }
        state.display &= kept | ~cards().level(level);
        if (!takes_displayed) {
            state.shown[at] = 0;
        }
        if (state.owed_runs > 0 && state.owed_kind[0] < owed::research) {
            continue;
        }
        if (closure.deciding && level == state.research_level) {
            continue;  // this deck is looked into next
        }
        const int to_see = pool_matters(problem, state, closure, level) ? cards_to_see(state, closure, level) : 0;
        if (to_see == 0) {
            // Only whether gaps in the display are filled, and whether there is a deck to research, still counts.
            const int size = problem.deck_size(state, level);
            const int cap = (takes_displayed ? closure.files + closure.frees : 0) + closure.researches;
            state.pool &= ~cards().level(level);
            state.vague[at] = 0;
            state.top_used[at] = static_cast<std::uint8_t>(problem.tops[at].size());
            state.unknown[at] = static_cast<std::uint8_t>(std::min(size, cap));
            state.ordered[at] = state.below[at] = 0;
            state.order[at] = {};
            continue;
        }
        // Cards at the bottom that cannot be reached have no order.
        const int reached = std::max(0, to_see - problem.tops_left(state, level) - state.unknown[at]);
        while (state.ordered[at] > reached) {
            --state.ordered[at];
            state.order[at][state.ordered[at]] = 0;
            ++state.below[at];
        }
        forget_useless(problem, state, closure, level);
        // The same cards in another order are the same deck as far as that order cannot matter.
        const int matter = std::min<int>(places_that_matter(problem, state, closure, level), state.ordered[at]);
        std::sort(state.order[at].begin() + matter, state.order[at].begin() + state.ordered[at]);
        if (state.unknown[at] == 0 && state.vague[at] < BY_SET_GONE) {
            state.pool &= ~cards().level(level);
        }
    }
}

}  // namespace

bool fill_purse(const Problem& problem, State& state, const Closure& closure, Purse& purse) {
    const Needs& needs = problem.needs;
    const bool relaxed = pays_relaxed(state);
    if ((state.purse != 0 && !relaxed) || closure.main || closure.researches + (closure.deciding ? 1 : 0) != 1 ||
        needs.marbles || needs.ring_colors != 0 || needs.activations || (needs.score && state.points_per_energy > 0)) {
        return state.purse != 0 && !relaxed;
    }
    // What comes after the build doesn't matter. Before it, marbles do, and so does a converter that is built for nothing.
    if (!closure.deciding && !only_waiting(state, {Effect::research})) {
        return false;
    }
    const Means means = relaxed ? means_of(state) : purse.means(state.ring, state.ready & cards().converters());
    state.purse = static_cast<std::uint8_t>(1 + means[COLORS]);
    mark_purse(state);
    state.ring = state.row = state.dispenser = Marbles{};
    for (int color = 0; color < COLORS; ++color) {
        for (int i = 0; i < means[static_cast<std::size_t>(color)]; ++i) {
            state.ring += Marbles::one(color);
        }
    }
    state.ready &= ~cards().converters();
    drop_moves(state);
    return true;
}

void canonicalise(const Problem& problem, State& state, const Closure& closure, Alike& alike, Purse& purse) {
    const Needs& needs = problem.needs;
    const bool paid = closure.paid();
    if (!marble_cards(problem, state, closure).any()) {
        fill_purse(problem, state, closure, purse);
    }
    state.ready &= closure.coming | (paid ? cards().converters() : Bits{});
    canonicalise_marbles(problem, state, closure);
    canonicalise_decks(problem, state, closure);

    const int files = closure.files + closure.researches + (closure.deciding ? 1 : 0);
    state.archive_space = static_cast<std::int8_t>(std::min<int>(state.archive_space, files));
    state.can_file = files > 0 ? state.can_file : std::uint8_t{0};
    state.can_research = closure.researches > 0 ? state.can_research : std::uint8_t{0};
    Bits kept = problem.goal_cards;
    if (closure.frees > 0) {
        kept |= cards().level(1);
    }
    state.archive &= kept;
    if (closure.researches == 0) {
        state.research_amount = 0;
    }
    if (!paid) {
        state.discount_level_2 = state.discount_from_research = 0;
    }
    state.discount_from_archive = 0;
    if (!needs.score) {
        state.points_per_energy = state.points_per_token = 0;
    }
    const Bits may_come = state.pool | state.seen | placed_in_decks(problem, state);
    if (!needs.score || !paid || !(may_come & cards().with(Special::points_per_token)).any()) {
        state.tokens = 0;
    }
    // Bounds differ from values only where the set that a research sees matters, or the set that one has seen.
    const int seen = closure.researches + (closure.deciding ? 1 : 0);
    const bool certain = nothing_vague(state);
    if (certain && (seen == 0 || (seen == 1 && closure.frees == 0))) {
        state.bound = EXACT;
    }
    alike.relabel(state, closure);
}

}  // namespace gizmos
