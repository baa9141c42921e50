// What a search is about and what stays the same all through it: the objective, the luck, the known orders.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "state.hpp"

namespace gizmos {

enum class Luck : std::uint8_t { worst, average, best };

// The conditions of a goal, all of which must hold at the end of the turn (see solver/objective.py).
enum class Amount : std::uint8_t { score, total, marbles, gizmos, level_3 };

struct AmountCondition {
    Amount what;
    int least;
};

struct RingCondition {
    int color;
    int least;
};

struct Goal {
    std::uint16_t built = 0;           // bits of Problem::goal_cards
    std::vector<int> archived;         // card indices
    std::vector<RingCondition> rings;
    std::vector<AmountCondition> amounts;
};

enum class Measure : std::uint8_t { score, activations, marbles, goal, mix };

// What points, marbles left and gizmos built are worth in a mix of them (see solver/objective.py).
struct Rates {
    double points = 0.0;
    double marbles = 0.0;
    double gizmos = 0.0;
};

struct Term {
    Measure measure = Measure::score;
    Goal goal;
    Rates rates;
};

inline constexpr int MAX_TERMS = 4;
inline constexpr int MAX_BUILT_GOALS = 16;

// What the objective makes worth knowing at the end of the turn.
struct Needs {
    bool score = false;        // points count at all
    bool gain = false;         // a goal asks for points: the state must know them
    bool marbles = false;      // a term or goal asks how many marbles are left
    unsigned ring_colors = 0;  // goals ask for marbles of these colours
    bool built = false;
    bool level_3 = false;
    bool activations = false;
};

struct Problem {
    Luck luck = Luck::average;
    std::vector<Term> terms;
    Needs needs;
    std::vector<int> built_goals;  // card of each bit of State::goals
    Bits goal_cards;               // cards that any goal names
    int start_score = 0;           // of the player, extra awards included
    int start_built = 0;           // how many gizmos the player has built

    // Known orders. They are the same in the whole turn: a state only counts how much of them is used up.
    std::array<std::vector<std::uint8_t>, 3> tops;
    std::vector<std::uint8_t> nexts;
    Bits known;  // the cards that lay known in a deck at the start
    int preview = 0;

    [[nodiscard]] int tops_left(const State& state, int level) const {
        const auto at = static_cast<std::size_t>(level - 1);
        return static_cast<int>(tops[at].size()) - state.top_used[at];
    }
    [[nodiscard]] int deck_size(const State& state, int level) const {
        const auto at = static_cast<std::size_t>(level - 1);
        return tops_left(state, level) + state.unknown[at] + state.ordered[at] + state.below[at];
    }
    [[nodiscard]] int nexts_known(const State& state) const {
        return static_cast<int>(nexts.size()) - state.next_used + (state.next_new != 0 ? 1 : 0);
    }
};

}  // namespace gizmos
