#include "games_perft.hpp"

namespace gizmos::games {

namespace {
constexpr std::uint64_t poll_every = std::uint64_t{1} << 14;
}

// Calls `visit` with each position that one move leads to, and how many actions that move is.
template <typename Visit>
void Perft::children(const Position& position, Actions& actions, Visit visit) {
    if (!position.awaited.empty()) {
        rules_.outcomes(position).each([&](int outcome) {
            Position child = position;
            rules_.reveal(child, outcome);
            visit(child, 0);
        });
        return;
    }
    for (const Action& action : actions) {
        Position child = position;
        rules_.apply(child, action);
        visit(child, 1);
    }
}

std::uint64_t Perft::count(const Position& position, int depth) {
    actions_.resize(static_cast<std::size_t>(depth) + 1);
    return below(position, depth);
}

std::uint64_t Perft::below(const Position& position, int depth) {
    if (depth == 0) return 1;
    if (++visited_ % poll_every == 0) poll_();
    Actions& actions = actions_[static_cast<std::size_t>(depth)];
    rules_.legal(position, actions);
    if (depth == 1 && position.awaited.empty()) return actions.size();
    std::uint64_t total = 0;
    children(position, actions, [&](const Position& child, int used) { total += below(child, depth - used); });
    return total;
}

std::vector<std::uint64_t> Perft::divide(const Position& position, int depth) {
    actions_.resize(static_cast<std::size_t>(depth) + 1);
    Actions& actions = actions_[static_cast<std::size_t>(depth)];
    rules_.legal(position, actions);
    std::vector<std::uint64_t> counts;
    children(position, actions, [&](const Position& child, int used) { counts.push_back(below(child, depth - used)); });
    return counts;
}

}  // namespace gizmos::games
