// A whole table at one moment, as engine/position.py has it, in a form that is changed in place.
#pragma once

#include <array>
#include <cstdint>

#include "games_table.hpp"

namespace gizmos::games {

inline constexpr int max_players = 4;
inline constexpr int deck_levels = 3;
inline constexpr int start_ring_limit = 5;
inline constexpr int start_archive_limit = 1;
inline constexpr int start_research = 3;
inline constexpr int end_gizmos = 16;
inline constexpr int end_level_3 = 4;
inline constexpr int marbles_per_color = 13;

enum class Source : std::uint8_t { display, archive, research };
enum class RevealKind : std::uint8_t { row, next, draw, refill, research };

// A player and what the built gizmos give (`Dashboard` in engine/cards.py), kept up to date by `build`.
struct Player {
    Bits built;
    Bits archive;
    Marbles ring;
    std::uint32_t converters = 0;
    int points = 0;  // of built gizmos
    int tokens = 0;
    std::uint8_t ring_limit = start_ring_limit;
    std::uint8_t archive_limit = start_archive_limit;
    std::uint8_t research = start_research;
    std::uint8_t discount_level_2 = 0;
    std::uint8_t discount_from_archive = 0;
    std::uint8_t discount_from_research = 0;
    std::uint8_t points_per_energy = 0;
    std::uint8_t points_per_token = 0;
    std::uint8_t level_3 = 0;
    bool no_file = false;
    bool no_research = false;

    void build(int card, const Table& table);

    [[nodiscard]] int room() const { return ring_limit - ring.total(); }
    [[nodiscard]] bool can_file() const { return !no_file && archive.count() < archive_limit; }
    [[nodiscard]] bool ends_game() const { return built.count() >= end_gizmos || level_3 >= end_level_3; }
    [[nodiscard]] int score() const {
        return points + tokens + points_per_energy * ring.total() + points_per_token * tokens;
    }
};

// A deck whose known cards, from the top and from the bottom, lie in one ring buffer: first the top ones.
class Deck {
public:
    static constexpr int capacity = 64;

    std::uint8_t size = 0;

    [[nodiscard]] int known_top() const { return top_; }
    [[nodiscard]] int known_bottom() const { return known_ - top_; }
    [[nodiscard]] int unknown() const { return size - known_; }
    // The known cards, top ones first; `place` counts from 0.
    [[nodiscard]] int known(int place) const { return cards_[static_cast<std::size_t>((head_ + place) % capacity)]; }

    void add_known_top(int card) {  // below the known top ones, before any bottom one is added
        push_back(card);
        ++top_;
    }
    void put_under(int card) {
        push_back(card);
        ++size;
    }
    void add_known_bottom(int card) { push_back(card); }

    // Forgets which cards lie at the bottom.
    void forget_bottom() { known_ = top_; }

    // Takes the top card away, known or not.
    void draw() {
        if (top_ > 0) {
            --top_;
            pop_front();
        } else if (unknown() <= 0) {
            pop_front();
        }
        --size;
    }

private:
    void push_back(int card) {
        cards_[static_cast<std::size_t>((head_ + known_) % capacity)] = static_cast<CardIndex>(card);
        ++known_;
    }
    void pop_front() {
        head_ = static_cast<std::uint8_t>((head_ + 1) % capacity);
        --known_;
    }

    std::uint8_t head_ = 0;
    std::uint8_t known_ = 0;
    std::uint8_t top_ = 0;
    std::array<CardIndex, capacity> cards_{};
};

// Colours that will enter the row, in order, two bits each.
class Queue {
public:
    static constexpr int capacity = 64;

    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] int front() const { return static_cast<int>(low_ & 3U); }
    [[nodiscard]] int at(int place) const {
        return static_cast<int>((place < 32 ? low_ >> (2 * place) : high_ >> (2 * (place - 32))) & 3U);
    }
    void push(int color) {
        const auto bits = static_cast<std::uint64_t>(color);
        if (size_ < 32) {
            low_ |= bits << (2 * size_);
        } else {
            high_ |= bits << (2 * (size_ - 32));
        }
        ++size_;
    }
    void pop() {
        low_ = low_ >> 2 | high_ << 62;
        high_ >>= 2;
        --size_;
    }

private:
    std::uint64_t low_ = 0;
    std::uint64_t high_ = 0;
    int size_ = 0;
};

// Reveals that nature owes: runs of equal ones, the first run next. An action owes one run; a marble that enters the row
// puts the run for the marble that comes next before what else is owed.
struct Awaited {
    RevealKind kind;
    std::uint8_t level;
    std::uint8_t number;
};

class AwaitedRuns {
public:
    static constexpr int capacity = 8;

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] const Awaited& front() const { return runs_[static_cast<std::size_t>(size_ - 1)]; }
    // The run that is next after `place` others.
    [[nodiscard]] const Awaited& at(int place) const { return runs_[static_cast<std::size_t>(size_ - 1 - place)]; }
    void push_front(const Awaited& run) {
        if (run.number > 0) runs_[static_cast<std::size_t>(size_++)] = run;
    }
    void pop() {
        Awaited& run = runs_[static_cast<std::size_t>(size_ - 1)];
        if (--run.number == 0) --size_;
    }

private:
    int size_ = 0;
    std::array<Awaited, capacity> runs_{};
};

struct Turn {
    Bits triggered;
    Bits used;
    Bits seen;                   // by the research
    std::uint32_t used_converters = 0;  // the converters in `used`
    CardIndex pending = no_card;
    std::uint8_t done = 0;
    std::uint8_t research_level = 0;  // 0: no research
    std::uint8_t seen_unknown = 0;    // cards of the research that only its player knows
    bool acted = false;
};

struct Position {
    std::array<Player, max_players> players{};
    Bits display;
    Bits unseen;  // of all levels
    Turn turn;
    AwaitedRuns awaited;
    Queue next;
    Marbles row;
    Marbles dispenser;
    std::uint8_t player_count = 0;
    std::uint8_t to_move = 0;
    std::uint8_t first_player = 0;
    std::uint8_t preview = 0;
    bool last_round = false;
    std::array<Deck, deck_levels> decks{};

    [[nodiscard]] Player& player() { return players[to_move]; }
    [[nodiscard]] const Player& player() const { return players[to_move]; }
    [[nodiscard]] Deck& deck(int level) { return decks[static_cast<std::size_t>(level - 1)]; }
    [[nodiscard]] const Deck& deck(int level) const { return decks[static_cast<std::size_t>(level - 1)]; }
    [[nodiscard]] bool is_over() const { return last_round && to_move == first_player && !turn.acted; }
};

}  // namespace gizmos::games
