// The canonical form: what cannot matter any more is dropped, and what is alike becomes equal.
#pragma once

#include <initializer_list>
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

// Where a single paid build is left, no marble comes before it and none matters after it, marbles and converters are
// replaced by what they can pay: `ring` then holds the most that can be paid in each colour, and `purse` is set.
void canonicalise(const Problem& problem, State& state, const Closure& closure, Alike& alike, Purse& purse);

// Fills the purse where that is sound, leaving out of account cards that a research in progress could build and that
// make marbles worth points; relaxed states get one, too. True if it did.
bool fill_purse(const Problem& problem, State& state, const Closure& closure, Purse& purse);
// Those cards, if they can be paid for.
[[nodiscard]] Bits marble_cards(const Problem& problem, const State& state, const Closure& closure);

}  // namespace gizmos
