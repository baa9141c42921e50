// The last research of a turn, marbles apart: what a card is worth once it is built depends on no colour any more, only on
// how many marbles are there in the end, if they count. So it is worked out once for all rings.
#include "offers.hpp"

#include <bit>
#include <memory>

#include "cards.hpp"
#include "relax.hpp"

namespace gizmos {

namespace {

// A ring that can pay for everything.
constexpr Marbles RICH{0x07070707U};

Marbles of_any_color(int marbles) { return {static_cast<std::uint32_t>(marbles)}; }

}  // namespace

// `base` waits for the research and has no marbles.
template <int Terms>
std::shared_ptr<typename Search<Terms>::Offers> Search<Terms>::offers(const State& base, bool counting) {
    const Signature key = signature(base);
    if (const auto* known = offers_.find(key)) {
        return known->all;
    }
    auto made = std::make_shared<Offers>();
    made->base = base;
    made->counting = counting;
    for (int level = 1; level <= 3; ++level) {
        if (problem_.deck_size(base, level) > 0) {
            list_offers(base, level, made->levels[static_cast<std::size_t>(level - 1)]);
        }
    }
    return offers_.put(key, {made}).all;
}

template <int Terms>
void Search<Terms>::list_offers(const State& base, int level, LevelOffers& offers) {
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
    const auto add = [&](Bits alike, bool certain) {
        const Card& card = cards()[alike.first()];
        Offer offer;
        offer.card = alike.first();
        offer.cards = alike.count();
        offer.certain = certain;
        offer.color = card.colors == ANY_COLOR ? COLORS : static_cast<std::size_t>(std::countr_zero(card.colors));
        offer.price = Moves::least_price(base, card, Source::research);
        offers.offers.push_back(std::move(offer));
    };
    State open = offers.draw.state;
    open.ring = RICH;
    for (const Bits alike : split(open, can, offers.draw.certain)) {
        add(alike, true);
    }
    for (const Bits alike : split(open, can, offers.draw.pool)) {
        add(alike, false);
    }
    State& none = offers.draw.state;
    none.pool &= ~cards().level(level);
    none.below[at] = static_cast<std::uint8_t>(none.below[at] + offers.draw.drawn);
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

// What it is worth to build or file a card of the research, or to do neither, with so many marbles left in the end.
template <int Terms>
Value<Terms> Search<Terms>::kept(const LevelOffers& level, Offer& offer, bool build, int marbles) {
    ByMarbles<Terms>& known = build ? offer.built : offer.filed;
    if (const Worths* value = known.find(marbles)) {
        return *value;
    }
    State state = level.draw.state;
    state.ring = of_any_color(marbles);
    Gain gain;
    if (offer.card >= 0) {
        if (!offer.certain) {
            state.seen.add(offer.card);
            --state.below[static_cast<std::size_t>(state.research_level - 1)];
        }
        if (build) {
            moves_.build(state, offer.card, Source::research, {}, gain);
        } else {
            moves_.file(state, offer.card, Source::research);
        }
    } else if (!build) {
        // No card of this deck is told apart any more, but one can be filed.
        moves_.file_unseen(state);
    }
    return known.put(marbles, plus(after_research(state), gain));
}

// The value of the research with a ring, and so many marbles coming later.
template <int Terms>
Value<Terms> Search<Terms>::best_offer(Offers& all, Marbles ring, int later) {
    const Bits converters = all.base.ready & cards().converters();
    const Means means = purse_.means(ring, converters);
    const int marbles = all.counting ? ring.total() + later : 0;
    Worths best;
    if (const Worths* known = all.nothing_done.find(marbles)) {
        best = *known;
    } else {
        State over = all.base;
        over.ring = of_any_color(marbles);
        moves_.end_turn(over);
        best = all.nothing_done.put(marbles, at_end(over));
    }
    for (LevelOffers& level : all.levels) {
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
        const State& state = level.draw.state;
        const bool can_file = Moves::can_file(state);
        Alone alone;
        alone.floor = kept(level, level.none, true, marbles);
        if (can_file && level.draw.drawn > 0 && !level.draw.pool.any()) {
            improve<Terms>(alone.floor, kept(level, level.none, false, marbles));
        }
        for (Offer& offer : level.offers) {
            Worths worth = nothing();
            if (can_file) {
                worth = kept(level, offer, false, marbles);
            }
            if (offer.price <= means[offer.color]) {
                const int spent = all.counting ? purse_.least_spent(ring, converters, offer.color, offer.price) : 0;
                improve<Terms>(worth, kept(level, offer, true, marbles - spent));
            }
            if (offer.certain) {
                improve<Terms>(alone.floor, worth);
            } else {
                improve<Terms>(worth, alone.floor);
                alone.worths.push_back({worth, offer.cards});
            }
        }
        const int vague = state.vague[static_cast<std::size_t>(state.research_level - 1)];
        improve<Terms>(best, alone.worths.empty() ? alone.floor : best_of_vague(alone, level.draw, vague));
    }
    return best;
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;

}  // namespace gizmos
