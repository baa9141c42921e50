// What can still matter in the rest of a turn.
#pragma once

#include <initializer_list>

#include "closure.hpp"
#include "problem.hpp"
#include "state.hpp"

namespace gizmos {

// True if no other effects than these wait to be used, and none is under way.
[[nodiscard]] bool only_waiting(const State& state, std::initializer_list<Effect> effects);

// True if it can matter which marbles the ring holds after what is being decided, or how many.
[[nodiscard]] bool marbles_matter(const Problem& problem, const State& state, const Closure& closure);
[[nodiscard]] bool colors_matter(const Problem& problem, const Closure& closure);

// True if it can matter which cards of a level are still in its deck, refills and researches owed left aside. `returned`
// are cards about to be put at the bottom.
[[nodiscard]] bool pool_matters(const Problem& problem, const State& state, const Closure& closure, int level,
                                Bits returned = {});

// The cards that lie known in the decks, and whose place there may matter.
[[nodiscard]] Bits placed_in_decks(const Problem& problem, const State& state);

// At most so many cards of a deck can still be seen, those owed left aside.
[[nodiscard]] int cards_to_see(const State& state, const Closure& closure, int level);

// Of the cards in a known order at the bottom of a deck, the order of at most so many can matter: a research that shows the
// whole deck asks only for what refills have left of it.
[[nodiscard]] int places_that_matter(const Problem& problem, const State& state, const Closure& closure, int level);

// Cards that make marbles worth points, if they can come and be paid for.
[[nodiscard]] Bits marble_cards(const Problem& problem, const State& state, const Closure& closure);

}  // namespace gizmos
