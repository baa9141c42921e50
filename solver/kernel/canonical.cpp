#include "canonical.hpp"

#include <algorithm>
#include <tuple>

#include "cards.hpp"

namespace gizmos {

namespace {

// What a card is worth telling apart by, under a relevance.
auto likeness(const Problem& problem, const Card& card, unsigned relevance) {
    const bool listens = card.trigger == Trigger::pick   ? (relevance & PICK_TRIGGERS) != 0
                         : card.trigger == Trigger::file ? (relevance & FILE_TRIGGERS) != 0
                         : card.trigger == Trigger::none ? false
                                                         : (relevance & BUILD_TRIGGERS) != 0;
    const bool moves_marbles = card.effect == Effect::pick || card.effect == Effect::draw;
    const bool acts = listens && (!moves_marbles || (relevance & PICKS_AND_DRAWS) != 0);
    const bool pays = (relevance & PAYING) != 0;
    const Special special = card.special;
    const bool discount = special == Special::discount_level_2 || special == Special::discount_from_archive ||
                          special == Special::discount_from_research;
    const bool special_counts = special == Special::no_file       ? (relevance & FILING) != 0
                                : special == Special::no_research ? (relevance & RESEARCHING) != 0
                                : discount                        ? pays
                                                                  : problem.needs.score;
    return std::tuple(card.level, card.colors, card.cost, problem.needs.score ? card.points : 0,
                      acts ? card.trigger : Trigger::none, acts ? card.trigger_colors : 0U,
                      acts ? card.effect : Effect::none, acts ? card.amount : 0, pays ? card.convert_from : 0U,
                      pays ? card.convert_to : Conversion::none, pays ? card.convert_uses : 0,
                      (relevance & STORAGE) != 0 ? card.storage : 0, (relevance & FILING) != 0 ? card.archive : 0,
                      (relevance & RESEARCHING) != 0 ? card.research : 0, special_counts ? special : Special::none);
}

// The lowest `count` cards of a set.
Bits lowest(Bits set, int count) {
    Bits result;
    for (; count > 0; --count) {
        result.add(set.pop());
    }
    return result;
}

void drop_marbles(State& state) {
    state.ring = state.row = state.dispenser = Marbles{};
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

void canonicalise_marbles(const Problem& problem, State& state, const Closure& closure) {
    if (!marbles_matter(problem, state, closure)) {
        drop_marbles(state);
        return;
    }
    const int incoming = closure.picks + closure.draws;
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
        Bits listening;
        for (int color = 0; color < COLORS; ++color) {
            listening |= cards().on_pick(color);
        }
        if (!(closure.coming & listening).any() && (closure.after_build & PICK_EVENT) == 0) {
            state.row = {static_cast<std::uint32_t>(state.row.total())};
        }
        if (closure.picks == 0) {
            state.dispenser = {static_cast<std::uint32_t>(std::min(state.dispenser.total(), incoming + 1))};
        }
    }
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
        if (state.owed_runs > 0 || closure.deciding) {
            continue;  // decks are looked into next
        }
        const int to_see = pool_matters(problem, closure, level) ? cards_to_see(state, closure, level) : 0;
        if (to_see == 0) {
            // Only whether gaps in the display are filled, and whether there is a deck to research, still counts.
            const int size = problem.deck_size(state, level);
            const int cap = takes_displayed ? closure.files + closure.frees : 0;
            state.pool &= ~cards().level(level);
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
        if (state.unknown[at] == 0) {
            state.pool &= ~cards().level(level);
        }
    }
}

void relabel(State& state, const Problem& problem, const std::vector<Bits>& classes) {
    Bits fixed = state.ready | problem.known;
    for (std::size_t at = 0; at < 3; ++at) {
        for (std::size_t i = 0; i < state.ordered[at]; ++i) {
            fixed.add(state.order[at][i]);
        }
    }
    const Bits placed = state.display | state.archive | state.seen | state.pool;
    for (const Bits alike : classes) {
        Bits members = alike & ~fixed;
        if (!(members & placed).any()) {
            continue;
        }
        for (Bits* place : {&state.display, &state.archive, &state.seen, &state.pool}) {
            const Bits there = lowest(members, (*place & alike & ~fixed).count());
            *place = (*place & ~(alike & ~fixed)) | there;
            members &= ~there;
        }
    }
}

}  // namespace

bool marbles_matter(const Problem& problem, const State& state, const Closure& closure) {
    const Needs& needs = problem.needs;
    return closure.paid() || needs.marbles || needs.ring_colors != 0 || needs.activations ||
           (needs.score && state.points_per_energy > 0);
}

bool colors_matter(const Problem& problem, const Closure& closure) {
    return closure.paid() || problem.needs.ring_colors != 0;
}

bool pool_matters(const Problem& problem, const Closure& closure, int level) {
    if (closure.researches > 0 || closure.main) {
        return true;
    }
    if (level == 1 && closure.frees > 0 && closure.files + closure.frees > 1) {
        return true;
    }
    return (problem.goal_cards & cards().level(level)).any() && closure.takes() > 0;
}

int cards_to_see(const State& state, const Closure& closure, int level) {
    // Each build may make later researches see more cards, by as many as an upgrade gives.
    const int researched = (closure.researches + (closure.main ? 1 : 0)) * (state.research_amount + 2 * closure.builds());
    const int refills = closure.files + (level == 1 ? closure.frees : 0) + (closure.main ? 1 : 0);
    return researched + refills;
}

unsigned relevance(const Problem& problem, const State& state, const Closure& closure) {
    if (closure.main) {
        return ALL_RELEVANT;
    }
    unsigned mask = 0;
    mask |= (closure.after_build & PICK_EVENT) != 0 ? PICK_TRIGGERS : 0U;
    mask |= (closure.after_build & FILE_EVENT) != 0 ? FILE_TRIGGERS : 0U;
    mask |= (closure.after_build & BUILD_EVENT) != 0 ? BUILD_TRIGGERS : 0U;
    const bool paid_after = closure.more_researches;
    const Needs& needs = problem.needs;
    const bool marbles_after = paid_after || needs.marbles || needs.ring_colors != 0 || needs.activations ||
                               (needs.score && (state.points_per_energy > 0 || (closure.paid() && closure.builds() > 1)));
    mask |= marbles_after ? PICKS_AND_DRAWS | STORAGE : 0U;
    mask |= paid_after || needs.activations ? PAYING : 0U;
    mask |= closure.more_files ? FILING : 0U;
    mask |= closure.more_researches ? RESEARCHING : 0U;
    return mask;
}

const std::vector<Bits>& Alike::classes(unsigned relevance) {
    Entry& entry = known_[relevance];
    if (!entry.made) {
        entry.made = true;
        Bits left;
        for (int card = 0; card < cards().size(); ++card) {
            if (cards()[card].level > 0 && !problem_.goal_cards.has(card)) {
                left.add(card);
            }
        }
        while (left.any()) {
            const int first = left.first();
            Bits alike;
            for (const int other : each(left)) {
                if (likeness(problem_, cards()[first], relevance) == likeness(problem_, cards()[other], relevance)) {
                    alike.add(other);
                }
            }
            left &= ~alike;
            if (alike.count() > 1) {
                entry.classes.push_back(alike);
            }
        }
    }
    return entry.classes;
}

void canonicalise(const Problem& problem, State& state, const Closure& closure, Alike& alike) {
    const Needs& needs = problem.needs;
    const bool paid = closure.paid();
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
    const Bits may_come = state.pool | state.seen | problem.known;
    if (!needs.score || !paid || !(may_come & cards().with(Special::points_per_token)).any()) {
        state.tokens = 0;
    }
    relabel(state, problem, alike.classes(relevance(problem, state, closure)));
}

}  // namespace gizmos
