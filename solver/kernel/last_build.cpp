// An upper bound for states in which a single build is left that must be paid, in a research: what the cards that the
// research can show would be worth. It needs no search.
//
// The relaxation of relax.cpp lets marbles that come have any colour, and every use of a doubler spare a marble. Here a card
// is paid for out of the ring and the marbles that can really come before: those of the row, those known to enter it while
// there are picks left, those of the dispenser. And an effect counts only if a colour that triggers it is within reach.
// What remains is simplified upwards: picks, draws and builds do not compete for time or room, but for the limit of the ring.
#include <algorithm>
#include <bit>
#include <optional>

#include "cards.hpp"
#include "relax.hpp"
#include "search.hpp"

namespace gizmos {

namespace {

// Steps of effects and the points that they give.
struct Flow {
    int picks = 0;
    int draws = 0;
    int files = 0;
    int tokens = 0;

    void add(Effect effect, int amount) {
        switch (effect) {
            case Effect::pick:
                picks += amount;
                break;
            case Effect::draw:
                draws += amount;
                break;
            case Effect::file:
                files += amount;
                break;
            case Effect::points:
                tokens += amount;
                break;
            case Effect::free_build:
            case Effect::research:
            case Effect::none:
                break;
        }
    }
    void at_least(Effect effect, int amount) {
        Flow other;
        other.add(effect, amount);
        picks = std::max(picks, other.picks);
        draws = std::max(draws, other.draws);
        files = std::max(files, other.files);
        tokens = std::max(tokens, other.tokens);
    }
};

int owed_count(const State& state, std::uint8_t kind) {
    int count = 0;
    for (std::size_t i = 0; i < state.owed_runs; ++i) {
        count += state.owed_kind[i] == kind ? state.owed_count[i] : 0;
    }
    return count;
}

// The next cards of a deck, as far as they may be among the first `count`; nothing if nobody can say.
std::optional<Bits> next_cards(const Problem& problem, const State& state, int level, int count) {
    const auto at = static_cast<std::size_t>(level - 1);
    Bits next;
    for (std::size_t i = state.top_used[at]; count > 0 && i < problem.tops[at].size(); ++i, --count) {
        next.add(problem.tops[at][i]);
    }
    if (count > 0 && state.unknown[at] > 0) {
        next |= state.pool & cards().level(level);
        count -= state.unknown[at];
    }
    for (std::size_t i = 0; count > 0 && i < state.ordered[at]; ++i, --count) {
        next.add(state.order[at][i]);
    }
    if (count > 0 && state.below[at] > 0) {
        if (state.vague[at] < BY_SET_GONE) {
            return std::nullopt;
        }
        next |= state.pool & cards().level(level);
    }
    return next;
}

// The marbles known to enter the row before so many picks are made, by colour; `unknown` are those whose colour nobody knows.
struct Entering {
    Marbles known;
    int unknown = 0;
};

Entering entering(const Problem& problem, const State& state, int picks) {
    int count = picks > 0 ? picks - 1 + owed_count(state, owed::row) : 0;
    Entering result;
    for (std::size_t i = state.next_used; count > 0 && i < problem.nexts.size(); ++i, --count) {
        result.known += Marbles::one(problem.nexts[i]);
    }
    if (count > 0 && state.next_new != 0) {
        result.known += Marbles::one(state.next_new - 1);
        --count;
    }
    result.unknown = count;
    return result;
}

}  // namespace

// What the bound is worked out with.
template <int Terms>
struct Search<Terms>::LastBuild {
    explicit LastBuild(const State& given)
        : state(given),
          relaxed(pays_relaxed(given)),
          amount(std::max<int>(given.research_amount, owed_count(given, owed::research + 1))),
          limit(given.ring_limit),
          marbles(marbles_left(given) + marbles_waiting(given)) {}

    const State& state;
    bool relaxed;
    int amount;   // of cards seen in a research, one of level I that is owed included
    int limit;    // of the ring
    int marbles;  // there now, those that wait included
    // What could be built for nothing.
    int frees = 0;
    Bits free_cards;
    unsigned free_colors = 0;
    Flow of_free;
    int free_points = 0;
    // What a card can be paid with: marbles that may come before, and converters.
    int more = 0;
    Marbles within_reach;
    Bits converters;
    int doubles = 0;

    [[nodiscard]] int refills(int level) const { return owed_count(state, static_cast<std::uint8_t>(owed::refill + level)); }
    [[nodiscard]] bool set_free_cards(const Problem& problem, const Closure& can);
    [[nodiscard]] Flow flow(const Problem& problem, Bits ready, Bits hit) const;
    void set_means(const Problem& problem);
    // What is won with these effects, for so many marbles and a card.
    [[nodiscard]] int worth(const Flow& flow, int spent, const Card* built) const;
};

// False if there are cards among them that this bound does not know.
template <int Terms>
bool Search<Terms>::LastBuild::set_free_cards(const Problem& problem, const Closure& can) {
    frees = can.frees;
    const auto next = next_cards(problem, state, 1, amount + can.files + frees + refills(1));
    if (!next) {
        return false;
    }
    free_cards = (state.display | state.archive | *next) & cards().level(1);
    int storage = 0;
    int research = 0;
    for (const int index : each(free_cards)) {
        const Card& card = cards()[index];
        if (card.special != Special::none) {
            return false;
        }
        free_colors |= card.colors;
        free_points = std::max(free_points, frees * card.points);
        storage = std::max(storage, card.storage);
        research = std::max(research, card.research);
        of_free.at_least(card.effect, frees * card.amount);
    }
    limit += frees * storage + (relaxed ? Purse::doubles(free_cards) : 0);
    amount += frees * research;
    return true;
}

template <int Terms>
Flow Search<Terms>::LastBuild::flow(const Problem& problem, Bits ready, Bits hit) const {
    if (frees > 0) {
        hit |= ready & (cards().on_build(free_colors) | cards().on_build_from_archive());
    }
    Flow waiting = of_free;
    waiting.draws += owed_count(state, owed::draw);
    for (const Effect effect : {Effect::pick, Effect::draw, Effect::file, Effect::points}) {
        waiting.add(effect, steps(state, effect));
    }
    while (true) {
        Flow all = waiting;
        for (const int gizmo : each(hit)) {
            all.add(cards()[gizmo].effect, cards()[gizmo].amount);
        }
        Bits heard = all.files > 0 ? cards().on_file() : Bits{};
        if (relaxed && (all.picks > 0 || hears_picks(state))) {
            heard |= cards().on_pick();
        } else if (all.picks > 0) {
            const Entering come = entering(problem, state, all.picks);
            for (int color = 0; color < COLORS; ++color) {
                if (come.unknown > 0 || state.row[color] + come.known[color] > 0) {
                    heard |= cards().on_pick(color);
                }
            }
        }
        if (!(ready & heard & ~hit).any()) {
            return all;
        }
        hit |= ready & heard;
    }
}

template <int Terms>
void Search<Terms>::LastBuild::set_means(const Problem& problem) {
    const Flow before = flow(problem, state.ready, {});
    converters = (state.ready | free_cards) & cards().converters();
    doubles = Purse::doubles(converters);
    if (relaxed) {
        more = before.picks + before.draws + marbles_waiting(state);
        return;
    }
    more = std::min(before.picks + before.draws, std::max(0, limit - marbles));
    const Entering come = entering(problem, state, before.picks);
    for (int color = 0; color < COLORS; ++color) {
        const int picked = std::min(before.picks, state.row[color] + come.known[color] + come.unknown);
        const int drawn = std::min(before.draws, state.dispenser[color]);
        const int reached = state.ring[color] + std::min(more, picked + drawn);
        within_reach += {static_cast<std::uint32_t>(reached) << (8 * color)};
    }
}

template <int Terms>
int Search<Terms>::LastBuild::worth(const Flow& flow, int spent, const Card* built) const {
    const Special special = built == nullptr ? Special::none : built->special;
    const int per_token = 1 + state.points_per_token + (special == Special::points_per_token ? 1 : 0);
    const int per_marble = state.points_per_energy + (special == Special::points_per_energy ? 1 : 0);
    // In a relaxed state draws are never without marbles.
    const int drawn = relaxed ? flow.draws : std::min(flow.draws, state.dispenser.total() + spent);
    int most = limit;
    if (built != nullptr) {
        most += built->storage + (relaxed && built->convert_to == Conversion::twice ? std::popcount(built->convert_from) : 0);
    }
    const int left = std::max(0, std::min(most, marbles + flow.picks + drawn - spent));
    return free_points + flow.tokens * per_token + per_marble * left + (built == nullptr ? 0 : built->points) +
           (special == Special::points_per_token ? state.tokens : 0);
}

// `floor`: what is not better need not be bounded any closer. ANYTHING, if there is no such bound.
template <int Terms>
Value<Terms> Search<Terms>::most_of_last_build(const State& state, const Closure& can, const Worths& floor) {
    Worths most;
    most.fill(ANYTHING);
    const bool relaxed = pays_relaxed(state);
    if (Terms != 1 || problem_.terms[0].measure != Measure::score || can.main ||
        can.researches + (can.deciding ? 1 : 0) != 1 || state.seen.any() || (!relaxed && !can_relax(state))) {
        return most;
    }
    LastBuild all(state);
    const auto owed_cards = [&](int level) { return owed_count(state, static_cast<std::uint8_t>(owed::research + level)); };
    if (can.frees > 0 && !all.set_free_cards(problem_, can)) {
        return most;
    }
    all.set_means(problem_);
    // The turn may also end without that build; then a card of the research may be filed.
    int best = all.worth(all.flow(problem_, state.ready, state.ready & cards().on_file()), 0, nullptr);
    for (int level = 1; level <= 3; ++level) {
        if (state.research_level != 0 && level != state.research_level) {
            continue;
        }
        const int seen = state.research_level != 0 ? owed_cards(level) : all.amount;
        const auto shown =
            next_cards(problem_, state, level, seen + all.refills(level) + can.files + (level == 1 ? can.frees : 0));
        if (!shown) {
            return most;
        }
        for (const int index : each(*shown)) {
            const Card& card = cards()[index];
            const int price = Moves::least_price(state, card, Source::research);
            Bits hit = cards().on_build(card.colors);
            if (card.level == 2) {
                hit |= cards().on_build_level_2();
            }
            Bits ready = state.ready;
            ready.add(index);
            const Flow flow = all.flow(problem_, ready, hit & state.ready);
            int spent = std::max(0, price - (relaxed ? state.next_new : 0) - all.doubles);
            if (all.worth(flow, spent, &card) <= best) {
                continue;
            }
            if (all.worth(flow, spent, &card) > first(floor)) {
                spent = least_spent(all, card, price);
            }
            if (spent >= 0) {
                best = std::max(best, all.worth(flow, spent, &card));
            }
        }
    }
    most.fill(best);
    return most;
}

// The fewest marbles that can pay for a card; -1 if none can.
template <int Terms>
int Search<Terms>::least_spent(const LastBuild& all, const Card& card, int price) {
    const State& state = all.state;
    if (all.relaxed) {
        // A converter built for nothing lets everything be paid in any colour.
        int most = state.purse - 1 + all.doubles;
        if (card.colors != ANY_COLOR && !all.converters.any()) {
            most = can_pay(state, card.colors);
        }
        const int each_marble = all.doubles > 0 ? 2 : 1;
        return price <= most + each_marble * all.more ? std::max(0, price - state.next_new - all.doubles) : -1;
    }
    int spent = -1;
    for (const Payment& payment : paid_by(card.colors, price, card.cost, all.within_reach, all.converters)) {
        int missing = 0;
        for (int color = 0; color < COLORS; ++color) {
            missing += std::max(0, payment.spend[color] - state.ring[color]);
        }
        if (missing <= all.more && (spent < 0 || payment.spend.total() < spent)) {
            spent = payment.spend.total();
        }
    }
    return spent;
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
