// Ways to pay, remembered between decisions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "games_table.hpp"

namespace gizmos::games {

// Marbles spent, and the converters used as bits of Table::converters.
struct Payment {
    Marbles spend;
    std::uint32_t converters = 0;
};

// Payments depend on little: the colour, the range of the price, the converters at hand and, as long as these are few, not
// on the ring, against which a remembered list is merely filtered. With many converters the lists that no ring limits grow
// without measure, so there the ring belongs to the question.
//
// One thread uses one instance. Memory is bounded: a full store forgets everything and starts anew.
class Payments {
public:
    explicit Payments(const Table& table);

    // All payments of `low` to `high` marbles of a colour (or `any_color`) that the ring can make with these converters, in
    // the engine's order. `visit` may not ask for payments itself.
    template <typename Visit>
    void each(int color, int low, int high, Marbles ring, std::uint32_t converters, Visit visit) {
        if (converters != 0) converters = useful(color, ring, converters);
        if (converters == 0 && color != any_color) {
            const int most = ring[color] < high ? ring[color] : high;
            for (int amount = low; amount <= most; ++amount) visit(Payment{marbles_of(color, amount), 0});
            return;
        }
        const int most = most_payable(color, ring, converters);
        if (most < low) return;
        if (most < high) high = most;
        for (const Payment& payment : listed(color, low, high, ring, converters)) {
            if (ring.contains(payment.spend)) visit(payment);
        }
    }

    // How many lists were made because they were not remembered.
    [[nodiscard]] std::uint64_t misses() const { return misses_; }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t begin = 0;
        std::uint32_t count = 0;
    };

    // Each use of a converter adds one marble of a wanted colour at most; only doubling adds a marble at all.
    [[nodiscard]] int most_payable(int color, Marbles ring, std::uint32_t converters) const {
        const int all = ring.total() + uses(converters & doubling_[ANY_COLOR]);
        if (color == any_color) return all;
        const int wanted = ring[color] + uses(converters);
        return wanted < all ? wanted : all;
    }
    // How many uses the converters have in all.
    [[nodiscard]] int uses(std::uint32_t converters) const {
        return std::popcount(converters) + std::popcount(converters & twice_);
    }
    [[nodiscard]] std::uint32_t useful(int color, Marbles ring, std::uint32_t converters) const;
    std::span<const Payment> listed(int color, int low, int high, Marbles ring, std::uint32_t converters);
    [[nodiscard]] Slot* slot_of(std::uint64_t key);
    void forget();

    const Table& table_;
    // Indexed by a mask of colours: the converters to any colour, and the doublers, that take marbles of one of them.
    std::array<std::uint32_t, ANY_COLOR + 1> to_any_{};
    std::array<std::uint32_t, ANY_COLOR + 1> doubling_{};
    std::uint32_t twice_ = 0;  // converters with two uses
    std::vector<Slot> slots_;
    std::size_t filled_ = 0;
    std::vector<Payment> store_;
    std::uint64_t misses_ = 0;
};

}  // namespace gizmos::games
