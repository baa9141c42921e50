// The cards that a research may have returned to the bottom of a deck: many orders of them, by which values are told apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "cards.hpp"
#include "spread.hpp"

namespace gizmos {

// Cards in the order in which they lie, the uppermost first.
struct Order {
    static constexpr std::size_t LONGEST = 16;
    std::array<std::uint8_t, LONGEST> cards{};
    std::uint8_t count = 0;
    Bits set;

    void add(int card) {
        cards[count++] = static_cast<std::uint8_t>(card);
        set.add(card);
    }
};

// Which of them a research sees.
struct Seeing {
    Bits pool;      // the cards of the deck's level whose place nobody knows, and those returned but not kept since
    int left = 0;   // so many of those returned still lie in the deck
    int seen = 0;   // so many of these are seen
    int drawn = 0;  // besides as many of the pool that were not returned
    bool operator==(const Seeing&) const = default;
};

// All that a search asks about orders. Orders of which all answers are the same have the same value.
class Returned {
public:
    // `spared`: for an upper bound no refill takes one of them, and a research sees them all.
    Returned(Bits pool, bool spared) : pool_(pool), spared_(spared) {}

    [[nodiscard]] bool spared() const { return spared_; }
    // Begins a search for the values of these.
    void ask_for(std::vector<Order> orders);

    // The value of the best card seen, for each order; `worths` by card, none below `floor`.
    [[nodiscard]] Spread best_of(const std::array<double, MAX_CARDS>& worths, double floor, const Seeing& seeing);
    // The values where the card is seen, and `nothing` where it is not.
    [[nodiscard]] Spread where_seen(int card, const Spread& values, const Seeing& seeing, double nothing);

    // The search has not tried all orders in which cards returned a second time may lie.
    void leave_out_orders() { left_out_ = true; }
    [[nodiscard]] bool orders_left_out() const { return left_out_; }

    // Stands for the answers to all questions of the search so far; or to those of all searches so far.
    [[nodiscard]] std::uint64_t answers(const Order& order, bool of_all) const;
    // True if so many of the cards might be missing, and no answer would be another.
    [[nodiscard]] bool can_miss(const Order& order, int cards) const;

private:
    struct Ranked {
        int card;
        double worth;
        bool operator==(const Ranked&) const = default;
    };
    struct Question {
        Seeing seeing;
        double floor = 0.0;
        std::vector<Ranked> ranking;  // the cards worth more than the floor, best first
        bool operator==(const Question&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Question& question) const;
    };

    [[nodiscard]] Bits seen(const Order& order, const Seeing& seeing) const;
    [[nodiscard]] double answer(const Question& question, const Order& order) const;

    Bits pool_;
    bool spared_;
    bool left_out_ = false;
    std::vector<Order> orders_;
    std::unordered_map<Question, std::size_t, Hash> known_;  // in `questions_`
    std::vector<Question> questions_;
    std::vector<Spread> answers_;      // of this search; empty where it has not asked
    std::vector<bool> asked_;
};

}  // namespace gizmos
