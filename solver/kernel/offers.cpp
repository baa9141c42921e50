// The last research of a turn, marbles apart: what a card is worth once it is built depends on no colour any more, only on
// how many marbles are there in the end, if they count. So it is worked out once for all rings; and states whose cards are
// worth the same are the same, whatever else they have.
#include "offers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <tuple>

#include "cards.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

// A ring that can pay for everything.
constexpr Marbles RICH{0x07070707U};
// A price that nothing can pay.
constexpr int NEVER = HIGHEST_COST + 1;

// Values of a number of marbles from `low` to `high`, of which those at both ends are there. More marbles are never worse.
template <int Terms, typename Worth>
void between(ByMarbles<Terms>& values, int low, int high, const Worth& worth) {
    const auto at = [&](int marbles) -> Value<Terms>& { return values[static_cast<std::size_t>(marbles)]; };
    if (at(low) == at(high)) {
        std::fill(values.begin() + low, values.begin() + high, at(high));
    } else if (high - low > 1) {
        const int middle = (low + high) / 2;
        at(middle) = worth(middle);
        between<Terms>(values, low, middle, worth);
        between<Terms>(values, middle, high, worth);
    }
}

template <int Terms, typename Worth>
ByMarbles<Terms> by_marbles(int most, const Worth& worth) {
    ByMarbles<Terms> values(static_cast<std::size_t>(most) + 1);
    values.front() = worth(0);
    values.back() = most > 0 ? worth(most) : values.front();
    between<Terms>(values, 0, most, worth);
    return values;
}

// Values that differ by rounding alone are the same.
std::uint64_t rounded(double value) { return std::bit_cast<std::uint64_t>(std::round(std::ldexp(value, 36)) + 0.0); }

template <int Terms>
void mix_in(Signature& all, const ByMarbles<Terms>& values) {
    for (const Value<Terms>& value : values) {
        if constexpr (Terms == BY_SET) {
            if (!value.single()) {
                throw Inexpressible();
            }
            all = mixed(all, rounded(value.most()), 0);
        } else {
            for (const double term : value) {
                all = mixed(all, rounded(term), 0);
            }
        }
    }
}

}  // namespace

// `base` waits for the research and has no marbles.
template <int Terms>
std::shared_ptr<const typename Search<Terms>::Offers> Search<Terms>::offers(const State& base, int most) {
    const Signature key = mixed(signature(base), static_cast<unsigned>(most), 0);
    if (const Signature* worths = worths_of_.find(key)) {
        if (const KnownOffers* known = offers_.find(*worths)) {
            return known->all;
        }
    }
    auto made = std::make_shared<Offers>();
    made->base = base;
    made->most = most;
    made->nothing_done = by_marbles<Terms>(most, [&](int marbles) {
        State over = base;
        over.ring = of_any_color(marbles);
        moves_.end_turn(over);
        return at_end(over);
    });
    for (int level = 1; level <= 3; ++level) {
        LevelOffers& offers = made->levels[static_cast<std::size_t>(level - 1)];
        if (problem_.deck_size(base, level) > 0) {
            list_offers(base, level, most, offers);
        }
        made->apart |= offers.apart;
    }
    made->worths = worths_of(*made);
    worths_of_.put(key, made->worths);
    if (const KnownOffers* known = offers_.find(made->worths)) {
        return known->all;
    }
    return offers_.put(made->worths, {made}).all;
}

template <int Terms>
void Search<Terms>::list_offers(const State& base, int level, int most, LevelOffers& offers) {
    const auto at = static_cast<std::size_t>(level - 1);
    State owing = base;
    begin_research(owing, level);
    State rich = owing;
    rich.ring = RICH;
    const Closure can = closure(problem_, rich, purse_);
    offers.there = true;
    offers.draw = drawing(owing);
    offers.apart = offers.draw.lost || pool_matters(problem_, rich, can, level);
    if (offers.apart) {
        return;
    }
    State open = offers.draw.state;
    open.ring = RICH;
    const std::vector<Bits> certain = split(open, can, offers.draw.certain);
    const std::vector<Bits> drawn = split(open, can, offers.draw.pool);
    State& none = offers.draw.state;
    none.pool &= ~cards().level(level);
    none.below[at] = static_cast<std::uint8_t>(none.below[at] + offers.draw.drawn + offers.draw.by_set);
    offers.none = by_marbles<Terms>(most, [&](int marbles) {
        State state = none;
        state.ring = of_any_color(marbles);
        Worths worth = after_research(state);
        if (Moves::can_file(state) && offers.draw.drawn + offers.draw.by_set > 0 && !offers.draw.pool.any()) {
            // No card of this deck is told apart any more, but one can be filed.
            moves_.file_unseen(state);
            improve<Terms>(worth, after_research(state));
        }
        return worth;
    });
    for (const Bits alike : certain) {
        add_offer(alike, true, most, offers);
    }
    for (const Bits alike : drawn) {
        add_offer(alike, false, most, offers);
    }
}

template <int Terms>
void Search<Terms>::add_offer(Bits alike, bool certain, int most, LevelOffers& offers) {
    State state = offers.draw.state;
    const int card = alike.first();
    const Card& wanted = cards()[card];
    if (!certain) {
        state.seen.add(card);
        --state.below[static_cast<std::size_t>(state.research_level - 1)];
    }
    Offer offer;
    offer.cards = alike.count();
    offer.alike = alike;
    offer.certain = certain;
    offer.color = wanted.colors == ANY_COLOR ? COLORS : static_cast<std::size_t>(std::countr_zero(wanted.colors));
    offer.price = Moves::least_price(state, wanted, Source::research);
    offer.filed = offers.none;
    if (Moves::can_file(state)) {
        offer.filed = by_marbles<Terms>(most, [&](int marbles) {
            State filed = state;
            filed.ring = of_any_color(marbles);
            moves_.file(filed, card, Source::research);
            Worths worth = after_research(filed);
            improve<Terms>(worth, offers.none[static_cast<std::size_t>(marbles)]);
            return worth;
        });
    }
    offer.built = by_marbles<Terms>(most, [&](int marbles) {
        State built = state;
        built.ring = of_any_color(marbles);
        Gain gain;
        moves_.build(built, card, Source::research, {}, gain);
        return plus(after_research(built), gain);
    });
    bool useful = false;
    for (std::size_t i = 0; i < offer.built.size(); ++i) {
        useful |= better<Terms>(offer.built[i], offer.filed.front());
    }
    if (!useful) {
        offer.built = offer.filed;
        offer.price = NEVER;
        offer.color = 0;
    }
    for (Offer& known : offers.offers) {
        if (known.certain == certain && known.color == offer.color && known.price == offer.price &&
            known.built == offer.built && known.filed == offer.filed) {
            known.cards += offer.cards;
            known.alike |= offer.alike;
            return;
        }
    }
    offers.offers.push_back(std::move(offer));
}

template <int Terms>
Signature Search<Terms>::worths_of(const Offers& all) const {
    if (all.apart) {
        return mixed(signature(all.base), static_cast<unsigned>(all.most), 1);
    }
    const Bits converters = all.base.ready & cards().converters();
    Signature worths = mixed({converters.low, converters.high}, static_cast<unsigned>(all.most), 2);
    mix_in<Terms>(worths, all.nothing_done);
    for (const LevelOffers& level : all.levels) {
        if (!level.there) {
            worths = mixed(worths, 0, 3);
            continue;
        }
        const unsigned vague = level.draw.state.vague[level.draw.state.research_level - 1U];
        const unsigned bound = vague == 0 ? 0U : all.base.bound;
        worths = mixed(worths, static_cast<unsigned>(level.draw.drawn), 4U + vague + (bound << 16U));
        mix_in<Terms>(worths, level.none);
        // The order of the cards plays no part.
        std::vector<Signature> cards_worths;
        for (const Offer& offer : level.offers) {
            Signature one = mixed({}, offer.color << 1U | (offer.certain ? 1U : 0U), static_cast<unsigned>(offer.price));
            one = mixed(one, static_cast<unsigned>(offer.cards), 0);
            if (vague == BY_SET_GONE) {
                one = mixed(one, offer.alike.low, offer.alike.high);
            }
            mix_in<Terms>(one, offer.built);
            mix_in<Terms>(one, offer.filed);
            cards_worths.push_back(one);
        }
        std::sort(cards_worths.begin(), cards_worths.end(), [](const Signature& left, const Signature& right) {
            return std::tie(left.low, left.high) < std::tie(right.low, right.high);
        });
        for (const Signature& one : cards_worths) {
            worths = mixed(worths, one.low, one.high);
        }
    }
    return worths;
}

template <int Terms>
void Search<Terms>::begin_research(State& state, int level) const {
    Gain gain;
    for (int kind = 0; kind < cards().kinds(); ++kind) {
        if (cards().kind(kind).effect == Effect::research && state.waiting[static_cast<std::size_t>(kind)] > 0) {
            moves_.begin(state, kind, gain);
            break;
        }
    }
    moves_.research(state, level);
}

// The value of the research with a ring, and so many marbles coming later.
template <int Terms>
Value<Terms> Search<Terms>::best_offer(const Offers& all, Marbles ring, int later) {
    const Bits converters = all.base.ready & cards().converters();
    const Means means = purse_.means(ring, converters);
    const bool counting = all.most > 0;
    const int marbles = counting ? ring.total() + later : 0;
    const auto there = static_cast<std::size_t>(marbles);
    Worths best = all.nothing_done[there];
    for (const LevelOffers& level : all.levels) {
        if (!level.there) {
            continue;
        }
        if (level.apart) {
            State owing = all.base;
            owing.ring = ring;
            owing.next_used = static_cast<std::uint8_t>(later);
            begin_research(owing, static_cast<int>(&level - all.levels.data()) + 1);
            improve<Terms>(best, value(owing));
            continue;
        }
        Alone alone;
        alone.floor = level.none[there];
        for (const Offer& offer : level.offers) {
            Worths worth = offer.filed[there];
            if (offer.price <= means[offer.color]) {
                const int spent = counting ? purse_.least_spent(ring, converters, offer.color, offer.price) : 0;
                improve<Terms>(worth, offer.built[static_cast<std::size_t>(marbles - spent)]);
            }
            if (offer.certain) {
                improve<Terms>(alone.floor, worth);
            } else {
                alone.worths.push_back({worth, offer.cards, offer.alike});
            }
        }
        for (Worth<Terms>& worth : alone.worths) {
            improve<Terms>(worth.value, alone.floor);
        }
        const std::uint8_t vague = level.draw.state.vague[level.draw.state.research_level - 1U];
        improve<Terms>(best, alone.worths.empty() ? alone.floor : best_of_vague(alone, level.draw, vague));
    }
    return best;
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
