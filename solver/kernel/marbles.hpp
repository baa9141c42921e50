// Marbles by colour, in the engine's order (red, blue, black, yellow): a byte per colour in one word.
#pragma once

#include <cstdint>

namespace gizmos {

inline constexpr int COLORS = 4;
inline constexpr unsigned ANY_COLOR = 15;  // the mask of a card that counts as all four colours

struct Marbles {
    std::uint32_t packed = 0;

    [[nodiscard]] constexpr int operator[](int color) const {
        return static_cast<int>(packed >> (8 * color) & 255U);
    }
    [[nodiscard]] static constexpr Marbles one(int color) { return {std::uint32_t{1} << (8 * color)}; }
    [[nodiscard]] constexpr int total() const { return static_cast<int>((packed * 0x01010101U) >> 24); }
    // A mask of the colours that are there.
    [[nodiscard]] constexpr unsigned colors() const {
        unsigned mask = 0;
        for (int color = 0; color < COLORS; ++color) {
            mask |= (*this)[color] > 0 ? 1U << color : 0U;
        }
        return mask;
    }
    // Colour by colour; below zero means nothing sensible.
    constexpr Marbles operator+(Marbles other) const { return {packed + other.packed}; }
    constexpr Marbles operator-(Marbles other) const { return {packed - other.packed}; }
    constexpr Marbles& operator+=(Marbles other) { return *this = *this + other; }
    constexpr Marbles& operator-=(Marbles other) { return *this = *this - other; }
    // True if every colour is there at least as often as in `other`.
    [[nodiscard]] constexpr bool contains(Marbles other) const {
        return (((packed | 0x80808080U) - other.packed) & 0x80808080U) == 0x80808080U;
    }
    constexpr bool operator==(const Marbles&) const = default;
};

}  // namespace gizmos
