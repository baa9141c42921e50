// Cards that are alike in all that can still matter.
#pragma once

#include <array>
#include <cstddef>
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

// Tells which unseen cards are alike; remembers what it has worked out, one per thread. Cards that goals name and cards
// whose place in a deck is known are like no other.
class Alike {
public:
    explicit Alike(const Problem& problem) : problem_(problem), known_(ALL_RELEVANT + 1) {}
    // The sets of alike cards, singletons left out.
    [[nodiscard]] std::vector<Bits> classes(const State& state, const Closure& closure);
    // Moves alike cards so that of each class the lowest come first in the display, then in the archive, among the cards
    // seen, in the pool.
    void relabel(State& state, const Closure& closure);

private:
    // Cards alike but for their colour (and cost), by colour; the last are those of any colour.
    using ByColor = std::array<Bits, COLORS + 1>;
    struct Entry {
        bool made = false;
        std::vector<Bits> classes;
        std::vector<ByColor> colorless;
    };
    const Entry& entry(unsigned relevance);
    [[nodiscard]] static bool prices_matter(const State& state, const Closure& closure);

    // All that decides how cards are relabelled, and what came of it last.
    struct Relabelled {
        std::array<Bits, 4> from, to;
        Bits fixed, ready, useful;
        unsigned relevance = ~0U;
        bool priced = false, main = false;
    };
    static constexpr std::size_t REMEMBERED = 1024;

    const Problem& problem_;
    std::vector<Entry> known_;
    std::vector<Relabelled> relabelled_;  // empty until the first use: many searches end before it
};

}  // namespace gizmos
