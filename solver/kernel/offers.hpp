// What the cards that a last research may find are worth, apart from the marbles that are paid (offers.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "search.hpp"

namespace gizmos {

// Values by how many marbles are there in the end.
template <int Terms>
class ByMarbles {
public:
    [[nodiscard]] const Value<Terms>* find(int marbles) const {
        for (const auto& [there, value] : known_) {
            if (there == marbles) {
                return &value;
            }
        }
        return nullptr;
    }
    const Value<Terms>& put(int marbles, const Value<Terms>& value) {
        known_.emplace_back(marbles, value);
        return known_.back().second;
    }

private:
    std::vector<std::pair<int, Value<Terms>>> known_;
};

// A card of the pool, or a class of alike ones, or one that is certain to be seen. -1: none is kept.
template <int Terms>
struct Search<Terms>::Offer {
    int card = -1;
    int cards = 0;
    bool certain = false;
    std::size_t color = 0;  // place in Means
    int price = 0;
    ByMarbles<Terms> built, filed;
};

template <int Terms>
struct Search<Terms>::LevelOffers {
    bool there = false;
    bool apart = false;  // the set seen matters, so a research of this level is searched as any other
    Drawing draw{};      // as if all drawn were returned
    Offer none;
    std::vector<Offer> offers;
};

template <int Terms>
struct Search<Terms>::Offers {
    State base{};  // a counted state without marbles, or one in which none counts
    bool counting = false;
    ByMarbles<Terms> nothing_done;
    std::array<LevelOffers, 3> levels;
};

}  // namespace gizmos
