#include "games_playout.hpp"

#include <compare>
#include <tuple>

namespace gizmos::games {

namespace {

// What an action brings at once: points, then marbles, then whether anything is done at all.
using Worth = std::tuple<int, int, int>;

Worth worth(const Position& position, const Action& action, const Table& table) {
    const Player& player = position.player();
    switch (action.kind) {
        case ActionKind::pick:
        case ActionKind::draw: return {player.points_per_energy, 1, 1};
        case ActionKind::points: {
            const int tokens = table.card(action.gizmo).amount;
            return {tokens * (1 + player.points_per_token), 0, 1};
        }
        case ActionKind::build: {
            const Facts& card = table.card(action.value);
            const int spent = action.spend.total();
            int points = card.points - player.points_per_energy * spent;
            if (card.special == Special::points_per_energy) points += player.ring.total() - spent;
            if (card.special == Special::points_per_token) points += player.tokens;
            return {points, -spent, 1};
        }
        case ActionKind::file:
        case ActionKind::research: return {0, 0, 1};
        case ActionKind::skip:
        case ActionKind::pass:
        case ActionKind::end_turn: return {0, 0, 0};
    }
    return {0, 0, 0};
}

// Sets the ranking of engine/setup.py: score, gizmos, marbles, distance from the first player.
void rank(const Position& position, Result& result) {
    const int seats = position.player_count;
    const auto merit = [&](int seat) {
        const Player& player = position.players[static_cast<std::size_t>(seat)];
        return std::tuple(player.score(), player.built.count(), player.ring.total(),
                          (seat - position.first_player + seats) % seats);
    };
    for (int seat = 0; seat < seats; ++seat) {
        const auto place = static_cast<std::size_t>(seat);
        result.scores[place] = position.players[place].score();
        result.places[place] = 1;
        for (int other = 0; other < seats; ++other) {
            if (merit(other) > merit(seat)) ++result.places[place];
        }
    }
}

}  // namespace

Result Playout::play(Position& position, std::uint64_t seed, std::vector<Move>* trace) {
    Generator generator(seed);
    Result result;
    rules_.settle(position);
    while (!position.is_over() && result.decisions < limit_) {
        if (!position.awaited.empty()) {
            const Outcomes possible = rules_.outcomes(position);
            const int outcome = possible.at(generator.below(possible.total));
            if (trace != nullptr) trace->push_back(Move::of(possible.kind, outcome));
            rules_.reveal(position, outcome);
            continue;
        }
        rules_.legal(position, actions_);
        const Action action = actions_[choose(position, generator)];
        ++result.decisions;
        if (actions_.size() > 1) ++result.choices;
        if (trace != nullptr) trace->push_back(Move::of(action, actions_.size()));
        rules_.apply(position, action);
    }
    result.finished = position.is_over();
    rank(position, result);
    return result;
}

std::size_t Playout::choose(const Position& position, Generator& generator) const {
    if (policy_ == Policy::greedy) return greediest(position);
    return static_cast<std::size_t>(generator.below(static_cast<int>(actions_.size())));
}

std::size_t Playout::greediest(const Position& position) const {
    std::size_t best = 0;
    Worth highest = worth(position, actions_[0], rules_.table());
    for (std::size_t i = 1; i < actions_.size(); ++i) {
        const Worth each = worth(position, actions_[i], rules_.table());
        if (each > highest) {
            highest = each;
            best = i;
        }
    }
    return best;
}

}  // namespace gizmos::games
