// The canonical form: what cannot matter any more is dropped, and what is alike becomes equal.
#pragma once

#include <vector>

#include "closure.hpp"
#include "problem.hpp"
#include "state.hpp"

namespace gizmos {

// Which properties of an unbuilt card can still matter once it is built.
enum Relevance : unsigned {
    PICK_TRIGGERS = 1,
    FILE_TRIGGERS = 2,
    BUILD_TRIGGERS = 4,
    PICKS_AND_DRAWS = 8,  // effects that pick or draw
    STORAGE = 16,
    PAYING = 32,  // converters and discounts
    FILING = 64,
    RESEARCHING = 128,
    ALL_RELEVANT = 255
};

[[nodiscard]] unsigned relevance(const Problem& problem, const State& state, const Closure& closure);

// The sets of cards that are alike under a relevance, singletons left out; cards named by goals are never alike.
// Remembers what it has worked out; one per thread.
class Alike {
public:
    explicit Alike(const Problem& problem) : problem_(problem), known_(ALL_RELEVANT + 1) {}
    const std::vector<Bits>& classes(unsigned relevance);

private:
    struct Entry {
        bool made = false;
        std::vector<Bits> classes;
    };
    const Problem& problem_;
    std::vector<Entry> known_;
};

// True if it can matter which marbles the ring holds after what is being decided, or how many.
[[nodiscard]] bool marbles_matter(const Problem& problem, const State& state, const Closure& closure);
[[nodiscard]] bool colors_matter(const Problem& problem, const Closure& closure);

// True if it can matter which cards of a level are still in its deck, refills and researches owed left aside.
[[nodiscard]] bool pool_matters(const Problem& problem, const Closure& closure, int level);

// At most so many cards of a deck can still be seen, those owed left aside.
[[nodiscard]] int cards_to_see(const State& state, const Closure& closure, int level);

void canonicalise(const Problem& problem, State& state, const Closure& closure, Alike& alike);

}  // namespace gizmos
