// How much a ring can pay at most, colour by colour.
#pragma once

#include <array>
#include <cstdint>

#include "bits.hpp"
#include "cache.hpp"
#include "control.hpp"
#include "marbles.hpp"

namespace gizmos {

inline constexpr int HIGHEST_COST = 15;

// The most that can be paid in each colour, and (last) in any mixture. Whoever can pay an amount can pay any smaller one.
using Means = std::array<std::uint8_t, COLORS + 1>;

// Works means out, and remembers them; one per thread.
class Purse {
public:
    Purse(std::size_t bytes, Pulse& pulse) : known_(bytes / 2), spent_(bytes / 2), pulse_(pulse) {}

    // What a ring and unused converters can pay, up to the dearest card's cost. Holds until the next call. Throws Stopped.
    const Means& means(Marbles ring, Bits converters);
    // The fewest marbles to spend for so many of a colour (its place in Means), if they can be paid.
    [[nodiscard]] int least_spent(Marbles ring, Bits converters, std::size_t color, int price);
    // How many marbles converters can add: the uses of doublers.
    [[nodiscard]] static int doubles(Bits converters);
    [[nodiscard]] std::size_t bytes() const { return known_.bytes() + spent_.bytes(); }

private:
    struct Key {
        Bits converters;
        std::uint32_t ring;
        std::uint32_t paid = 0;  // colour and price
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t hash = key.converters.low * 0x9E3779B97F4A7C15U ^ key.converters.high * 0xC2B2AE3D27D4EB4FU;
            hash ^= (std::uint64_t{key.paid} << 32 | key.ring) * 0xA0761D6478BD642FU;
            return static_cast<std::size_t>(hash ^ hash >> 31);
        }
    };
    Cache<Key, Means, Hash> known_;
    Cache<Key, std::uint8_t, Hash> spent_;
    Pulse& pulse_;
};

// The cards that means pay for, with so much taken off the cost of each card (and of level II cards in addition).
[[nodiscard]] Bits affordable(const Means& means, int discount, int discount_level_2);

}  // namespace gizmos
