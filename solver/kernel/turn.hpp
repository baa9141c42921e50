// The search of one turn as a whole: its problem, table and threads, whatever the number of terms of the objective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "control.hpp"
#include "problem.hpp"
#include "state.hpp"

namespace gizmos {

// A position of the turn, as read.
struct Reading {
    State state{};
    std::vector<int> waiting;  // triggered gizmos, ascending
    int gained = 0;            // since the problem's position, marbles aside
    int built = 0;             // gizmos built since then
    bool over = false;         // it is no longer this turn
};

using Numbers = std::vector<double>;

// How far the search of a position's actions has come: what is proved of the best of them.
struct Progress {
    std::uint64_t states = 0;
    std::size_t bounded = 0;  // so many actions have bounds
    std::size_t actions = 0;
    std::optional<Numbers> lower;  // once any action has bounds
    std::optional<Numbers> upper;  // once all have
};

// What a search remembers, in bytes, and how many values its table had no room to keep.
struct Memory {
    std::size_t table;
    std::uint64_t replaced;
    std::size_t beside_table;
};

// Proved bounds; equal if the value is known.
struct Interval {
    Numbers lower;
    Numbers upper;
};

// Values are those of solver.reference: what the whole turn is worth, seen from the problem's position on. They are kept
// for later calls. What a stopped search has not found is missing, and once it is stopped so is every other answer.
class Turn {
public:
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    virtual ~Turn() = default;

    // What it remembers takes at most so many bytes, whatever the number of threads.
    [[nodiscard]] static std::unique_ptr<Turn> make(Problem problem, std::size_t bytes, std::size_t threads);

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] Control& control() { return control_; }

    // The value of a position, a finished turn included.
    [[nodiscard]] virtual std::optional<Numbers> value(const Reading& reading) = 0;
    // The values of all actions, in the order of engine.rules.legal_actions; of those that are worse than the `top` best
    // perhaps only bounds. A stopped search knows bounds of some actions, and nothing of others.
    [[nodiscard]] virtual std::optional<std::vector<std::optional<Interval>>> actions(const Reading& reading,
                                                                                      int top) = 0;
    // The values of keeping each card that a research owed could draw, ascending by card, when the set doesn't matter.
    [[nodiscard]] virtual std::optional<std::vector<Numbers>> research(const Reading& reading) = 0;
    // The value of keeping a card of a research that is being decided; of none for -1.
    [[nodiscard]] virtual std::optional<Numbers> keep(const Reading& reading, int card) = 0;
    // Whether the set seen in the research owed matters, and whether the reveal owed next does.
    [[nodiscard]] virtual std::optional<bool> set_matters(const Reading& reading) = 0;
    [[nodiscard]] virtual std::optional<bool> reveal_matters(const Reading& reading) = 0;

    // May be asked while another thread searches.
    [[nodiscard]] virtual Progress progress() = 0;
    [[nodiscard]] virtual Counters counters() const = 0;
    [[nodiscard]] virtual Memory memory() const = 0;

protected:
    explicit Turn(Problem problem) : problem_(std::move(problem)) {}
    const Problem problem_;
    Control control_;
};

}  // namespace gizmos
