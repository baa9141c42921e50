// The card table as whole games need it: a few bytes a card, and converters numbered densely.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "cards.hpp"
#include "marbles.hpp"

namespace gizmos::games {

using CardIndex = std::uint8_t;
inline constexpr CardIndex no_card = 255;
inline constexpr std::uint8_t any_color = COLORS;
inline constexpr std::uint8_t no_converter = 255;
inline constexpr int max_converters = 32;
inline constexpr int max_cost = 15;

// What paying, building and carrying out effects ask of a card.
struct Facts {
    std::uint8_t level = 0;
    std::uint8_t paid = 0;  // its only colour, or `any_color`
    std::uint8_t cost = 0;
    std::uint8_t points = 0;
    Effect effect = Effect::none;
    std::uint8_t amount = 0;
    std::uint8_t converter = no_converter;  // its bit among the converters
    std::uint8_t storage = 0;
    std::uint8_t archive = 0;
    std::uint8_t research = 0;
    Special special = Special::none;
};

struct Converter {
    CardIndex card;
    unsigned from;
    Conversion to;
    int uses;
};

class Table {
public:
    // Throws std::invalid_argument for cards that the packed forms have no room for.
    explicit Table(const CardTable& cards);

    [[nodiscard]] const Facts& card(int index) const { return facts_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] Bits level(int level) const { return levels_[static_cast<std::size_t>(level)]; }
    [[nodiscard]] Bits on_file() const { return on_file_; }
    [[nodiscard]] Bits on_pick(int color) const { return on_pick_[static_cast<std::size_t>(color)]; }
    // `color` may be `any_color`.
    [[nodiscard]] Bits on_build(int color) const { return on_build_[static_cast<std::size_t>(color)]; }
    [[nodiscard]] Bits on_build_from_archive() const { return on_build_from_archive_; }
    [[nodiscard]] Bits on_build_level_2() const { return on_build_level_2_; }
    // Converters in ascending order of their cards.
    [[nodiscard]] const std::vector<Converter>& converters() const { return converters_; }

private:
    int size_ = 0;
    std::array<Facts, MAX_CARDS> facts_{};
    std::array<Bits, LEVELS> levels_{};
    Bits on_file_;
    std::array<Bits, COLORS> on_pick_{};
    std::array<Bits, COLORS + 1> on_build_{};
    Bits on_build_from_archive_;
    Bits on_build_level_2_;
    std::vector<Converter> converters_;
};

// Calls `visit` with each card in ascending order.
template <typename Visit>
constexpr void visit_each(Bits set, Visit visit) {
    for (std::uint64_t bits = set.low; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
    for (std::uint64_t bits = set.high; bits != 0; bits &= bits - 1) visit(64 + std::countr_zero(bits));
}

constexpr int nth_bit(std::uint64_t bits, int rank) {
    int base = 0;
    for (int width = 32; width >= 8; width /= 2) {
        const int inside = std::popcount(bits & ((std::uint64_t{1} << width) - 1));
        if (rank < inside) {
            bits &= (std::uint64_t{1} << width) - 1;
        } else {
            rank -= inside;
            base += width;
            bits >>= width;
        }
    }
    for (; rank > 0; --rank) bits &= bits - 1;
    return base + std::countr_zero(bits);
}

// The card with exactly `rank` smaller ones in the set, which must hold more than `rank`.
constexpr int nth_card(Bits set, int rank) {
    const int below = std::popcount(set.low);
    return rank < below ? nth_bit(set.low, rank) : 64 + nth_bit(set.high, rank - below);
}

// Bit c is set if there is a marble of colour c.
constexpr unsigned colors_of(Marbles marbles) {
    unsigned present = 0;
    for (int color = 0; color < COLORS; ++color) present |= (marbles[color] != 0 ? 1U : 0U) << color;
    return present;
}

constexpr Marbles marbles_of(int color, int number) {
    return {static_cast<std::uint32_t>(number) << (8 * color)};
}

}  // namespace gizmos::games
