#include "alike.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "cards.hpp"
#include "matter.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

// What a card is worth telling apart by, under a relevance.
auto likeness(const Problem& problem, const Card& card, unsigned relevance, bool colorless) {
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
    return std::tuple(card.level, colorless ? 0U : card.colors, colorless ? 0 : card.cost, problem.needs.score ? card.points : 0,
                      acts ? card.trigger : Trigger::none, acts ? card.trigger_colors : 0U,
                      acts ? card.effect : Effect::none, acts ? card.amount : 0, pays ? card.convert_from : 0U,
                      pays ? card.convert_to : Conversion::none, pays ? card.convert_uses : 0,
                      (relevance & STORAGE) != 0 ? card.storage : 0, (relevance & FILING) != 0 ? card.archive : 0,
                      (relevance & RESEARCHING) != 0 ? card.research : 0, special_counts ? special : Special::none);
}

// Cards of a class are interchangeable: whichever of them lie in a place, the lowest could.
void relabel_classes(State& state, const std::vector<Bits>& classes) {
    const Bits placed = state.display | state.archive | state.seen | state.pool;
    for (const Bits alike : classes) {
        if (!(alike & placed).any()) {
            continue;
        }
        Bits members = alike;
        for (Bits* place : {&state.display, &state.archive, &state.seen, &state.pool}) {
            const Bits there = lowest(members, (*place & alike).count());
            *place = (*place & ~alike) | there;
            members &= ~there;
        }
    }
}

}  // namespace

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
    const int filed = closure.files + closure.researches + (closure.deciding ? 1 : 0);
    mask |= closure.more_files && state.archive_space < filed ? FILING : 0U;
    mask |= closure.more_researches ? RESEARCHING : 0U;
    return mask;
}

const Alike::Entry& Alike::entry(unsigned relevance) {
    Entry& entry = known_[relevance];
    if (entry.made) {
        return entry;
    }
    entry.made = true;
    for (const bool colorless : {false, true}) {
        Bits left = (cards().level(1) | cards().level(2) | cards().level(3)) & ~problem_.goal_cards;
        while (left.any()) {
            const int first = left.first();
            Bits alike;
            ByColor by_color{};
            for (const int other : each(left)) {
                if (likeness(problem_, cards()[first], relevance, colorless) !=
                    likeness(problem_, cards()[other], relevance, colorless)) {
                    continue;
                }
                alike.add(other);
                const unsigned colors = cards()[other].colors;
                by_color[colors == ANY_COLOR ? COLORS : static_cast<unsigned>(std::countr_zero(colors))].add(other);
            }
            left &= ~alike;
            if (colorless) {
                entry.colorless.push_back(by_color);
            } else if (alike.count() > 1) {
                entry.classes.push_back(alike);
            }
        }
    }
    return entry;
}

// Of cards that can be paid for, colour and cost still matter.
bool Alike::prices_matter(const State& state, const Closure& closure) {
    return closure.paid() && (state.purse == 0 || pays_relaxed(state));
}

std::vector<Bits> Alike::classes(const State& state, const Closure& closure) {
    const Bits fixed = state.ready | placed_in_decks(problem_, state);
    std::vector<Bits> result;
    // Cards that can only be filed, to no further use, are all the same.
    Bits useless;
    if (!closure.main) {
        useless = ~closure.usable & ~fixed;
        for (int level = 1; level <= 3; ++level) {
            const Bits alike = useless & cards().level(level);
            if (alike.count() > 1) {
                result.push_back(alike);
            }
        }
    }
    const auto add = [&](Bits alike) {
        const Bits rest = alike & ~fixed & ~useless;
        if (rest.count() > 1) {
            result.push_back(rest);
        }
    };
    const unsigned relevant = relevance(problem_, state, closure);
    const Entry& known = entry(relevant);
    if (prices_matter(state, closure) || (relevant & BUILD_TRIGGERS) != 0) {
        for (const Bits alike : known.classes) {
            add(alike);
        }
        return result;
    }
    // Colour and cost of a card that can be had matter no more, but for the gizmos that its build triggers.
    std::array<Bits, COLORS + 1> triggered;
    for (unsigned color = 0; color <= COLORS; ++color) {
        triggered[color] = state.ready & cards().on_build(color == COLORS ? ANY_COLOR : 1U << color);
    }
    for (const ByColor& by_color : known.colorless) {
        unsigned done = 0;
        for (unsigned color = 0; color <= COLORS; ++color) {
            if ((done >> color & 1U) != 0) {
                continue;
            }
            Bits alike;
            for (unsigned other = color; other <= COLORS; ++other) {
                if (triggered[other] == triggered[color]) {
                    alike |= by_color[other];
                    done |= 1U << other;
                }
            }
            add(alike);
        }
    }
    return result;
}

void Alike::relabel(State& state, const Closure& closure) {
    Relabelled now;
    now.from = {state.display, state.archive, state.seen, state.pool};
    if (!(state.display | state.archive | state.seen | state.pool).any()) {
        return;
    }
    now.fixed = placed_in_decks(problem_, state);
    Bits named;  // where values are by set
    for (int level = 1; level <= 3; ++level) {
        named |= state.vague[static_cast<std::size_t>(level - 1)] == BY_SET_GONE ? cards().level(level) : Bits{};
    }
    now.fixed |= named;
    now.ready = state.ready;
    now.useful = closure.usable;
    now.relevance = relevance(problem_, state, closure);
    now.priced = prices_matter(state, closure);
    now.main = closure.main;
    std::uint64_t hash = now.relevance;
    for (const Bits set : {state.display, state.archive, state.seen, state.pool, now.fixed, now.ready, now.useful}) {
        hash = (hash ^ set.low) * 0x9E3779B97F4A7C15U;
        hash = (hash ^ hash >> 29 ^ set.high) * 0xC2B2AE3D27D4EB4FU;
    }
    relabelled_.resize(REMEMBERED);
    Relabelled& known = relabelled_[(hash >> 40) % REMEMBERED];
    if (known.from != now.from || known.fixed != now.fixed || known.ready != now.ready || known.useful != now.useful ||
        known.relevance != now.relevance || known.priced != now.priced || known.main != now.main) {
        State after = state;
        std::vector<Bits> renamed = classes(state, closure);
        for (Bits& alike : renamed) {
            alike &= ~named;
        }
        relabel_classes(after, renamed);
        known = now;
        known.to = {after.display, after.archive, after.seen, after.pool};
    }
    state.display = known.to[0];
    state.archive = known.to[1];
    state.seen = known.to[2];
    state.pool = known.to[3];
}

}  // namespace gizmos
