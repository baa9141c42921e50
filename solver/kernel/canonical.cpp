#include "canonical.hpp"

#include <algorithm>
#include <tuple>

#include "cards.hpp"
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

// The lowest `count` cards of a set.
Bits lowest(Bits set, int count) {
    Bits result;
    for (; count > 0; --count) {
        result.add(set.pop());
    }
    return result;
}

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

bool only_waiting(const State& state, std::initializer_list<Effect> effects) {
    const auto listed = [&](Effect effect) { return std::find(effects.begin(), effects.end(), effect) != effects.end(); };
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (state.waiting[static_cast<std::size_t>(kind)] > 0 && !listed(cards().kind(kind).effect)) {
            return false;
        }
    }
    return state.pending == Effect::none || listed(state.pending);
}

Bits marble_cards(const Problem& problem, const State& state, const Closure& closure) {
    if (!problem.needs.score) {
        return {};
    }
    Bits can_come = state.pool | state.seen | placed_in_decks(problem, state);
    if (closure.deciding) {
        can_come &= cards().level(state.research_level);
    }
    return closure.usable & cards().with(Special::points_per_energy) & can_come;
}

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

bool marbles_matter(const Problem& problem, const State& state, const Closure& closure) {
    const Needs& needs = problem.needs;
    return closure.paid() || needs.marbles || needs.ring_colors != 0 || needs.activations ||
           (needs.score && state.points_per_energy > 0);
}

bool colors_matter(const Problem& problem, const Closure& closure) {
    return closure.paid() || problem.needs.ring_colors != 0;
}

Bits placed_in_decks(const Problem& problem, const State& state) {
    Bits placed = problem.known;
    for (std::size_t at = 0; at < 3; ++at) {
        for (std::size_t i = 0; i < state.ordered[at]; ++i) {
            placed.add(state.order[at][i]);
        }
    }
    return placed;
}

bool pool_matters(const Problem& problem, const State& state, const Closure& closure, int level, Bits returned) {
    const Bits there = cards().level(level);
    if (closure.main) {
        return true;
    }
    if (closure.researches > 0) {
        const Bits in_deck = state.pool | state.seen | placed_in_decks(problem, state) | returned;
        if ((closure.useful & there & in_deck).any()) {
            return true;
        }
    }
    if (level == 1 && closure.frees > 0 && closure.files + closure.frees > 1) {
        return true;
    }
    return (problem.goal_cards & there).any() && closure.takes() > 0;
}

int cards_to_see(const State& state, const Closure& closure, int level) {
    // Each build may make later researches see more cards, by as many as an upgrade gives; what a research builds helps only
    // those after it.
    const int researches = closure.researches + (closure.main ? 1 : 0);
    const int others = closure.builds() - closure.researches;
    const int researched = researches * (state.research_amount + 2 * others) + researches * (researches - 1);
    const int refills = closure.files + (level == 1 ? closure.frees : 0) + (closure.main ? 1 : 0);
    return researched + refills;
}

int places_that_matter(const Problem& problem, const State& state, const Closure& closure, int level) {
    if (closure.main || state.research_amount < problem.deck_size(state, level)) {
        return MAX_ORDERED;
    }
    const auto at = static_cast<std::size_t>(level - 1);
    int refills = closure.files + (level == 1 ? closure.frees : 0);
    for (std::size_t i = 0; i < state.owed_runs; ++i) {
        refills += state.owed_kind[i] == owed::refill + level ? state.owed_count[i] : 0;
    }
    return std::max(0, refills - problem.tops_left(state, level) - state.unknown[at]);
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
