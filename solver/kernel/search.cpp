// The player's side of the search. Nature's is in chance.cpp.
#include "search.hpp"

#include <algorithm>

#include "cards.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

bool holds(const Goal& goal, const Problem& problem, const State& state) {
    if ((state.goals & goal.built) != goal.built) {
        return false;
    }
    for (const int card : goal.archived) {
        if (!state.archive.has(card)) {
            return false;
        }
    }
    for (const RingCondition& ring : goal.rings) {
        if (state.ring[ring.color] < ring.least) {
            return false;
        }
    }
    for (const AmountCondition& amount : goal.amounts) {
        int have = 0;
        switch (amount.what) {
            case Amount::score:
                have = state.gain + state.points_per_energy * state.ring.total();
                break;
            case Amount::total:
                have = state.gain + state.points_per_energy * state.ring.total() + problem.start_score;
                break;
            case Amount::marbles:
                have = state.ring.total();
                break;
            case Amount::gizmos:
                have = state.built;
                break;
            case Amount::level_3:
                have = state.level_3;
                break;
        }
        if (have < amount.least) {
            return false;
        }
    }
    return true;
}

}  // namespace

template <int Terms>
std::size_t Search<Terms>::PriceHash::operator()(const Price& price) const {
    std::uint64_t hash = price.converters.low * 0x9E3779B97F4A7C15U ^ price.converters.high * 0xC2B2AE3D27D4EB4FU;
    hash ^= (std::uint64_t{price.ring} << 24 | std::uint64_t{price.colors} << 16 | std::uint64_t{price.low} << 8 |
             price.high) *
            0xA0761D6478BD642FU;
    return static_cast<std::size_t>(hash ^ hash >> 29);
}

template <int Terms>
const std::vector<Payment>& Search<Terms>::paid_by(unsigned colors, int low, int high, Marbles ring, Bits converters) {
    const Price price{converters, ring.packed, static_cast<std::uint8_t>(colors), static_cast<std::uint8_t>(low),
                      static_cast<std::uint8_t>(high), 0};
    if (const std::vector<Payment>* known = payments_.find(price)) {
        return *known;
    }
    pulse_.check();
    return payments_.put(price, payments(colors, low, high, ring, converters));
}

template <int Terms>
Value<Terms> Search<Terms>::plus(Worths value, const Gain& gain) const {
    if constexpr (Terms == BY_SET) {
        value.add(gain.score);
    } else {
        for (std::size_t term = 0; term < Terms; ++term) {
            const Term& wanted = problem_.terms[term];
            if (wanted.measure == Measure::mix) {
                value[term] += wanted.rates.points * gain.score + wanted.rates.gizmos * gain.gizmos;
                continue;
            }
            value[term] += wanted.measure == Measure::score         ? gain.score
                           : wanted.measure == Measure::activations ? gain.activations
                                                                    : 0;
        }
    }
    return value;
}

template <int Terms>
Value<Terms> Search<Terms>::below(Worths floor, const Gain& gain) const {
    // Terms after the first are not bounded by a floor, nor are values by set.
    if constexpr (Terms == 1) {
        if (floored(floor)) {
            floor[0] -= plus(Worths{}, gain)[0];
            return floor;
        }
    }
    return nothing();
}

template <int Terms>
Value<Terms> Search<Terms>::at_end(const State& state) const {
    if constexpr (Terms == BY_SET) {
        return Spread(state.points_per_energy * marbles_left(state));
    } else {
        Worths value{};
        for (std::size_t term = 0; term < Terms; ++term) {
            switch (problem_.terms[term].measure) {
                case Measure::score:
                    value[term] = state.points_per_energy * marbles_left(state);
                    break;
                case Measure::activations:
                    break;
                case Measure::marbles:
                    value[term] = state.ring.total();
                    break;
                case Measure::mix: {
                    const Rates& rates = problem_.terms[term].rates;
                    value[term] = (rates.points * state.points_per_energy + rates.marbles) * state.ring.total();
                    break;
                }
                case Measure::goal:
                    value[term] = holds(problem_.terms[term].goal, problem_, state) ? 1.0 : 0.0;
                    break;
            }
        }
        return value;
    }
}

template <int Terms>
Value<Terms> Search<Terms>::value(State state, const Worths& under) {
    pulse_.beat();
    if (state.reserve != 0) {
        absorb(state);
    }
    Gain gain;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        // Points cost nothing and exclude nothing: they are taken at once.
        while (cards().kind(kind).effect == Effect::points && state.waiting[static_cast<std::size_t>(kind)] > 0 &&
               state.ended == 0) {
            --state.waiting[static_cast<std::size_t>(kind)];
            const Effect pending = state.pending;
            const auto left = state.pending_left;
            const auto started = state.pending_started;
            moves_.take_points(state, cards().kind(kind).amount, gain);
            state.pending = pending;
            state.pending_left = left;
            state.pending_started = started;
            ++gain.activations;
            ++counters_.points_taken;
        }
    }
    if (Moves::finished(state)) {
        return plus(at_end(state), gain);
    }
    if (state.owed_runs > 0 && state.owed_kind[0] < owed::research) {
        return plus(chance(state, below(under, gain)), gain);
    }
    const Worths floor = below(under, gain);
    const Closure can = closure(problem_, state, purse_);
    if (!can.main) {
        const bool marbles = state.ring.packed != 0;
        const int unseen = state.pool.count();
        canonicalise(problem_, state, can, alike_, purse_);
        counters_.marbles_dropped += marbles && state.ring.packed == 0 ? 1 : 0;
        counters_.purses += state.purse != 0 ? 1 : 0;
        counters_.cards_dropped += state.pool.count() < unseen ? 1 : 0;
        if (Moves::finished(state)) {
            return plus(at_end(state), gain);
        }
    }
    if constexpr (Terms == BY_SET) {
        if (!by_set(state)) {
            return plus(Spread(single_->value(state)[0]), gain);
        }
        if (Spread::bytes() + table_.bytes() > room_.numbers) {
            throw TooMany();
        }
    }
    if (collecting(state, can)) {
        return plus(collect(state, can), gain);
    }
    const Signature key = signature(state);
    Worths known;
    if (table_.find(key, known)) {
        ++counters_.known;
        return plus(known, gain);
    }
    const bool has_floor = floored(floor);
    const Signature floor_key = mixed(key, 1, 1);
    if (has_floor && table_.find(floor_key, known) && !better<Terms>(known, floor)) {
        ++counters_.floored;
        return plus(known, gain);
    }
    ++counters_.states;
    Worths worth;
    bool exact = false;
    if (!settled(state, can, floor, worth)) {
        worth = state.owed_runs > 0 ? research(state, can, floor, exact) : decide(state, can, floor);
    }
    exact = exact || !has_floor || better<Terms>(worth, floor);
    table_.store(exact ? key : floor_key, worth);
    return plus(worth, gain);
}

template <int Terms>
Value<Terms> Search<Terms>::decide(const State& state, const Closure& can, const Worths& floor) {
    if (state.research_level != 0) {
        return research_choice(state, can, floor);
    }
    Choices choices;
    choices.bounded = worth_bounding(state, can);
    choices.floor = floor;
    Worths& best = choices.best;
    if (state.acted == 0) {
        main_action(state, can, choices);
    } else if (state.pending != Effect::none) {
        effect(state, state.pending, {}, choices);
    } else {
        State over = state;
        moves_.end_turn(over);
        best = at_end(over);
        for (const Effect what : {Effect::free_build, Effect::file, Effect::pick, Effect::draw, Effect::research}) {
            for (int kind = 0; kind < cards().kinds(); ++kind) {
                if (state.waiting[static_cast<std::size_t>(kind)] > 0 && cards().kind(kind).effect == what) {
                    State begun = state;
                    Gain gain;
                    moves_.begin(begun, kind, gain);
                    effect(begun, what, gain, choices);
                }
            }
        }
    }
    settle(choices);
    if (state.acted == 0 && !choices.any) {
        State over = state;
        moves_.end_turn(over);
        best = at_end(over);
    }
    if (state.pending != Effect::none && (state.pending_started != 0 || !choices.any)) {
        State next = state;
        moves_.skip(next);
        improve<Terms>(best, value(next, choices.to_beat()));
    }
    return better<Terms>(best, floor) ? best : floor;
}

template <int Terms>
void Search<Terms>::effect(const State& state, Effect what, Gain gain, Choices& choices) {
    switch (what) {
        case Effect::pick:
            pick(state, gain, choices);
            break;
        case Effect::draw:
            if (state.room() > 0 && state.dispenser.total() > 0) {
                State next = state;
                moves_.draw(next);
                offer(next, gain, choices);
            }
            break;
        case Effect::file:
            file(state, gain, choices);
            break;
        case Effect::free_build:
            free_build(state, gain, choices);
            break;
        case Effect::research:
            if (state.can_research != 0) {
                for (int level = 1; level <= 3; ++level) {
                    if (problem_.deck_size(state, level) > 0) {
                        State next = state;
                        moves_.research(next, level);
                        offer(next, gain, choices);
                    }
                }
            }
            break;
        case Effect::points:
        case Effect::none:
            break;
    }
}

template <int Terms>
void Search<Terms>::main_action(const State& state, const Closure& can, Choices& choices) {
    effect(state, Effect::pick, {}, choices);
    effect(state, Effect::file, {}, choices);
    for (const Source source : {Source::display, Source::archive}) {
        for (const int card : each(source == Source::display ? state.display : state.archive)) {
            std::vector<Action> ways;
            list_payments(state, can, card, source, ways);
            for (const Action& way : ways) {
                offer(way.next, way.gain, choices);
            }
        }
    }
    effect(state, Effect::research, {}, choices);
}

template <int Terms>
void Search<Terms>::pick(const State& state, Gain gain, Choices& choices) {
    for (int color = 0; color < COLORS && state.room() > 0; ++color) {
        if (state.row[color] > 0) {
            State next = state;
            moves_.pick(next, color);
            offer(next, gain, choices);
        }
    }
}

template <int Terms>
void Search<Terms>::file(const State& state, Gain gain, Choices& choices) {
    if (!Moves::can_file(state)) {
        return;
    }
    for (const int card : each(state.display)) {
        State next = state;
        moves_.file(next, card, Source::display);
        offer(next, gain, choices);
    }
    for (int level = 1; level <= 3; ++level) {
        if (state.shown[static_cast<std::size_t>(level - 1)] > (state.display & cards().level(level)).count()) {
            State next = state;
            moves_.file_any(next, level);
            offer(next, gain, choices);
        }
    }
}

template <int Terms>
void Search<Terms>::free_build(const State& state, Gain gain, Choices& choices) {
    for (const Source source : {Source::display, Source::archive}) {
        for (const int card : each((source == Source::display ? state.display : state.archive) & cards().level(1))) {
            State next = state;
            Gain all = gain;
            moves_.build(next, card, source, {}, all);
            if (pays_relaxed(next)) {
                convert_relaxed(next, card);
            }
            offer(next, all, choices);
        }
    }
}

// True if it can matter which colours go back to the dispenser, though none is needed to pay any more: marbles enter the
// row, and later picks of some colours trigger something.
template <int Terms>
bool Search<Terms>::colors_come_back(const Closure& can) {
    return can.picks > 1 && ((can.coming | can.made) & cards().on_pick()).any();
}

template <int Terms>
void Search<Terms>::list_payments(const State& state, const Closure& can, int card, Source source,
                                  std::vector<Action>& ways) {
    const Card& wanted = cards()[card];
    if (state.purse != 0) {
        const int price = Moves::least_price(state, wanted, source);
        if (price <= can_pay(state, wanted.colors)) {
            ways.push_back({state, {}});
            State& next = ways.back().next;
            if (pays_relaxed(state)) {
                pay_relaxed(next, price, wanted.colors);
            }
            moves_.build(next, card, source, {}, ways.back().gain);
            if (pays_relaxed(state)) {
                convert_relaxed(next, card);
            }
        }
        return;
    }
    const std::vector<Payment>& list = paid_by(wanted.colors, Moves::least_price(state, wanted, source), wanted.cost,
                                               state.ring, state.ready & cards().converters());
    // When no marble counts any more after this build, one payment is as good as another, but for the converters that
    // an objective may count.
    const Needs& needs = problem_.needs;
    const bool alike = can.researches == 0 && !needs.marbles && needs.ring_colors == 0 && !needs.activations &&
                       !(needs.score && (state.points_per_energy > 0 || wanted.special == Special::points_per_energy ||
                                         can.builds() > 1));
    // When only the number of marbles matters after this build, to spend the fewest is best.
    const bool fewest = can.researches == 0 && needs.ring_colors == 0 && !needs.activations &&
                        (state.reserve != 0 || !colors_come_back(can));
    const Payment* thrifty = nullptr;
    for (const Payment& payment : list) {
        if (thrifty == nullptr || payment.spend.total() < thrifty->spend.total()) {
            thrifty = &payment;
        }
    }
    for (const Payment& payment : list) {
        if (fewest && &payment != thrifty) {
            ++counters_.payments_dearer;
            continue;
        }
        ways.push_back({state, {}});
        moves_.build(ways.back().next, card, source, payment, ways.back().gain);
        if (alike) {
            counters_.payments_merged += list.size() - 1;
            break;
        }
    }
}

template <int Terms>
std::vector<Bits> Search<Terms>::split(const State& state, const Closure& can, Bits set) {
    std::vector<Bits> parts;
    Bits left = set;
    for (const Bits alike : alike_.classes(state, can)) {
        if ((left & alike).any()) {
            parts.push_back(left & alike);
            left &= ~alike;
        }
    }
    for (const int card : each(left)) {
        parts.push_back(Bits::of(card));
    }
    counters_.cards_alike += static_cast<std::uint64_t>(set.count()) - parts.size();
    std::sort(parts.begin(), parts.end(), [](Bits left_part, Bits right_part) {
        return left_part.first() < right_part.first();
    });
    return parts;
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
