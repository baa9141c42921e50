// Whole games played by simple players with an explicit generator: the same games as solver/games.py plays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "games_rules.hpp"

namespace gizmos::games {

// SplitMix64 (Steele, Lea and Flood 2014): short, portable, good enough to choose moves.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : state_(seed) {}

    // Uniform in 0 <= result < limit; the bias is below limit / 2^32.
    int below(int limit) {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t bits = state_;
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EBU;
        bits ^= bits >> 31;
        return static_cast<int>((bits >> 32) * static_cast<std::uint64_t>(limit) >> 32);
    }

private:
    std::uint64_t state_;
};

enum class Policy : std::uint8_t { random, greedy };

struct Result {
    std::array<int, max_players> scores{};
    std::array<int, max_players> places{};
    int decisions = 0;
    int choices = 0;  // decisions between at least two actions
    bool finished = false;
};

// What happened: an action, or a reveal with its outcome.
struct Move {
    bool is_reveal = false;
    RevealKind kind = RevealKind::row;
    int outcome = 0;
    Action action{};
    int options = 0;  // how many actions were legal

    [[nodiscard]] static Move of(RevealKind kind, int outcome) {
        Move move;
        move.is_reveal = true;
        move.kind = kind;
        move.outcome = outcome;
        return move;
    }
    [[nodiscard]] static Move of(const Action& action, std::size_t options) {
        Move move;
        move.action = action;
        move.options = static_cast<int>(options);
        return move;
    }
};

class Playout {
public:
    Playout(const Table& table, Policy policy, int limit) : rules_(table), policy_(policy), limit_(limit) {}

    // Plays on in `position` until the game is over or `limit` decisions are made. Adds what happens to `trace` if given.
    Result play(Position& position, std::uint64_t seed, std::vector<Move>* trace = nullptr);

    // How many lists of payments had to be made anew.
    [[nodiscard]] std::uint64_t misses() const { return rules_.payment_misses(); }

private:
    [[nodiscard]] std::size_t choose(const Position& position, Generator& generator) const;
    [[nodiscard]] std::size_t greediest(const Position& position) const;

    Rules rules_;
    Policy policy_;
    int limit_;
    Actions actions_;
};

}  // namespace gizmos::games
