// What the cards that a last research may find are worth, apart from the marbles that are paid (offers.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "search.hpp"

namespace gizmos {

// Values by how many marbles are there in the end: one, if that does not count.
template <int Terms>
using ByMarbles = std::vector<Value<Terms>>;

// A class of cards of the pool that are worth the same, or of cards that are certain to be seen.
template <int Terms>
struct Search<Terms>::Offer {
    int cards = 0;
    Bits alike;
    bool certain = false;
    std::size_t color = 0;  // place in Means
    int price = 0;
    ByMarbles<Terms> built;
    ByMarbles<Terms> filed;  // or neither built nor filed
};

template <int Terms>
struct Search<Terms>::LevelOffers {
    bool there = false;
    bool apart = false;  // the set seen matters, so a research of this level is searched as any other
    Drawing draw{};      // as if all drawn were returned
    ByMarbles<Terms> none;
    std::vector<Offer> offers;
};

template <int Terms>
struct Search<Terms>::Offers {
    State base{};  // a counted state without marbles, or one in which none counts
    int most = 0;  // so many marbles there can be in the end, if they count
    bool apart = false;  // true of some level
    ByMarbles<Terms> nothing_done;
    std::array<LevelOffers, 3> levels;
    Signature worths{};  // offers that share it are worth the same with any ring

    [[nodiscard]] std::size_t bytes() const {
        std::size_t sum = sizeof(Offers) + outside(nothing_done);
        for (const LevelOffers& level : levels) {
            sum += outside(level.none) + outside(level.offers);
            for (const Offer& offer : level.offers) {
                sum += outside(offer.built) + outside(offer.filed);
            }
        }
        return sum;
    }
};

}  // namespace gizmos
