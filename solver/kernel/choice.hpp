// What a research may keep (research.cpp, counts.cpp, sets.cpp).
#pragma once

#include <vector>

#include "search.hpp"

namespace gizmos {

// One card of the pool, or a class of alike ones, with the ways to keep it.
template <int Terms>
struct Search<Terms>::Choice {
    int card = 0;
    int cards = 0;  // of the pool; 0: what can be had whatever is seen
    Bits alike;
    std::size_t coarse = 0;
    Worths alone;  // the best of the ways whose worth depends on no other card
    struct Dependent {
        Action kept;
        Action returned;  // the same after the cards not kept are returned
        Worths most;      // whichever cards are gone
    };
    std::vector<Dependent> dependent;  // the other ways

    [[nodiscard]] Worths most() const {
        Worths most = alone;
        for (const Dependent& way : dependent) {
            improve<Terms>(most, way.most);
        }
        return most;
    }
};

// A way to keep a card of a set that is seen.
template <int Terms>
struct Search<Terms>::Way {
    Action kept;
    int card;  // -1: none
    Worths most;
};

// A set that may be drawn, and the best that is known of it.
template <int Terms>
struct Search<Terms>::SeenSet {
    Bits cards;
    double weight;
    Worths best;
};

}  // namespace gizmos
