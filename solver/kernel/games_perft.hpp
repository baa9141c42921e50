// Counts of action sequences, for regression and speed.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "games_rules.hpp"

namespace gizmos::games {

class Perft {
public:
    // `poll` is called now and then and may throw to end the count.
    Perft(const Table& table, std::function<void()> poll) : rules_(table), poll_(std::move(poll)) {}

    // Sequences of `depth` actions from a position. Each outcome of a reveal is a branch of its own and is no action; what
    // nature reveals after the last action does not count. Games that end sooner do not count.
    std::uint64_t count(const Position& position, int depth);

    // The same for each first move: the legal actions or, where nature moves first, the outcomes, in order.
    std::vector<std::uint64_t> divide(const Position& position, int depth);

private:
    [[nodiscard]] std::uint64_t below(const Position& position, int depth);
    template <typename Visit>
    void children(const Position& position, Actions& actions, Visit visit);

    Rules rules_;
    std::function<void()> poll_;
    std::vector<Actions> actions_;  // one list for each depth
    std::uint64_t visited_ = 0;
};

}  // namespace gizmos::games
