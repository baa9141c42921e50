// A set of cards: one bit for each of up to 128 cards, numbered as in CardTable.
#pragma once

#include <bit>
#include <cstdint>

namespace gizmos {

struct Bits {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    [[nodiscard]] static constexpr Bits of(int index) {
        return index < 64 ? Bits{std::uint64_t{1} << index, 0} : Bits{0, std::uint64_t{1} << (index - 64)};
    }

    [[nodiscard]] constexpr bool has(int index) const {
        return ((index < 64 ? low >> index : high >> (index - 64)) & 1U) != 0;
    }
    constexpr void add(int index) { *this |= of(index); }
    constexpr void remove(int index) { *this &= ~of(index); }
    [[nodiscard]] constexpr int count() const { return std::popcount(low) + std::popcount(high); }
    [[nodiscard]] constexpr bool any() const { return (low | high) != 0; }

    // The lowest card; there must be one.
    [[nodiscard]] constexpr int first() const {
        return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
    }
    // Takes the lowest card out.
    constexpr int pop() {
        const int index = first();
        if (low != 0) {
            low &= low - 1;
        } else {
            high &= high - 1;
        }
        return index;
    }

    constexpr Bits operator&(Bits other) const { return {low & other.low, high & other.high}; }
    constexpr Bits operator|(Bits other) const { return {low | other.low, high | other.high}; }
    constexpr Bits operator~() const { return {~low, ~high}; }
    constexpr Bits& operator&=(Bits other) { return *this = *this & other; }
    constexpr Bits& operator|=(Bits other) { return *this = *this | other; }
    constexpr bool operator==(const Bits&) const = default;
};

// for (int card : each(set)) visits the cards in ascending order.
class BitsIterator {
public:
    explicit constexpr BitsIterator(Bits left) : left_(left) {}
    constexpr int operator*() const { return left_.first(); }
    constexpr BitsIterator& operator++() {
        left_.pop();
        return *this;
    }
    constexpr bool operator!=(const BitsIterator& other) const { return left_ != other.left_; }

private:
    Bits left_;
};

struct BitsRange {
    Bits set;
    [[nodiscard]] constexpr BitsIterator begin() const { return BitsIterator(set); }
    [[nodiscard]] constexpr BitsIterator end() const { return BitsIterator(Bits{}); }
};

[[nodiscard]] constexpr BitsRange each(Bits set) { return {set}; }

// The lowest `count` elements of a set.
[[nodiscard]] inline Bits lowest(Bits set, int count) {
    Bits result;
    for (; count > 0; --count) {
        result.add(set.pop());
    }
    return result;
}

}  // namespace gizmos
