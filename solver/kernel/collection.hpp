// What the states of one collection have in common (collect.cpp, foresee.cpp).
#pragma once

#include <algorithm>
#include <memory>

#include "offers.hpp"
#include "search.hpp"

namespace gizmos {

template <int Terms>
struct Search<Terms>::Collection {
    State base{};  // all but the marbles and what moves them
    Signature context{};
    bool counting = false;  // marbles are worth points, or the research may find a card that makes them so
    int most = 0;           // so many marbles there can be in the end, if they count
    std::shared_ptr<const Offers> offers{};  // if they are the same whatever comes after the research
    // What can follow the research, if marbles count then.
    int picks_after = 0;
    int draws_after = 0;
    bool listening_after = false;  // to picks
    bool only_counted = false;     // each marble that comes later is worth the same, and all that can come do
    // What picks after the research trigger.
    [[nodiscard]] bool hears(const Stock& stock) const {
        return counting && listening_after && stock.picks() + picks_after > 0;
    }
};

// Folds over the colours that a marble which leaves the dispenser may have.
template <int Terms>
template <typename Worth>
Value<Terms> Search<Terms>::over_colors(const Stock& stock, const Worth& worth) const {
    Fold<Terms> fold(problem_.luck);
    for (int color = 0; color < COLORS; ++color) {
        if (stock.dispenser[color] > 0) {
            Stock next = stock;
            next.dispenser -= Marbles::one(color);
            fold.add(worth(next, color), stock.dispenser[color]);
        }
    }
    return fold.result();
}

// Folds over every multiset of marbles that so many draws can find.
template <int Terms>
template <typename Worth>
Value<Terms> Search<Terms>::over_draws(Marbles dispenser, int draws, const Worth& worth) const {
    Fold<Terms> fold(problem_.luck);
    const auto choose = [&](const auto& self, int color, int left, Marbles drawn, double weight) -> void {
        const int there = dispenser[color];
        if (color + 1 == COLORS) {
            if (left <= there) {
                drawn += {static_cast<std::uint32_t>(left) << (8 * color)};
                fold.add(worth(drawn), weight * binomial(there, left));
            }
            return;
        }
        for (int taken = 0; taken <= std::min(there, left); ++taken) {
            self(self, color + 1, left - taken, drawn, weight * binomial(there, taken));
            drawn += Marbles::one(color);
        }
    };
    choose(choose, 0, draws, Marbles{}, 1.0);
    return fold.result();
}

}  // namespace gizmos
