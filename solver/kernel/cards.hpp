// The card table. Its content is handed over once from `engine.cards`: no card is known here by its number.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "bits.hpp"
#include "marbles.hpp"

namespace gizmos {

enum class Trigger : std::uint8_t { none, file, pick, build, build_from_archive, build_level_2 };
enum class Effect : std::uint8_t { none, pick, draw, file, research, points, free_build };
enum class Conversion : std::uint8_t { none, any, twice };
enum class Special : std::uint8_t {
    none,
    no_file,
    no_research,
    discount_level_2,
    discount_from_archive,
    discount_from_research,
    points_per_energy,
    points_per_token
};

inline constexpr int EFFECTS = 7;
inline constexpr int LEVELS = 4;  // 0 is that of the starting gizmos
inline constexpr int MAX_CARDS = 128;
inline constexpr int MAX_KINDS = 12;

// What a triggered gizmo does, whoever triggered it: gizmos of a kind that wait to be used are interchangeable.
struct Kind {
    Effect effect = Effect::none;
    int amount = 0;
};

// Colours are masks with bit 1 << colour; see engine.cards.Card for what the fields mean.
struct Card {
    int id = 0;
    int level = 0;
    unsigned colors = 0;
    int cost = 0;
    int points = 0;
    Trigger trigger = Trigger::none;
    unsigned trigger_colors = 0;
    Effect effect = Effect::none;
    int amount = 0;
    unsigned convert_from = 0;
    Conversion convert_to = Conversion::none;
    int convert_uses = 0;
    int storage = 0;
    int archive = 0;
    int research = 0;
    Special special = Special::none;
};

// Cards by index, in ascending order of their numbers, and the sets of cards that the rules ask for.
class CardTable {
public:
    // Both throw std::invalid_argument for what they do not know.
    void add(const Card& card);
    [[nodiscard]] int index(int id) const;

    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] const Card& operator[](int index) const { return cards_[static_cast<std::size_t>(index)]; }

    [[nodiscard]] Bits level(int level) const { return levels_[static_cast<std::size_t>(level)]; }
    [[nodiscard]] Bits converters() const { return converters_; }
    [[nodiscard]] Bits with(Effect effect) const { return effects_[static_cast<std::size_t>(effect)]; }
    [[nodiscard]] Bits with(Special special) const { return specials_[static_cast<std::size_t>(special)]; }
    // The different effects, and which of them a card has (-1: none).
    [[nodiscard]] int kinds() const { return kind_count_; }
    [[nodiscard]] const Kind& kind(int kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] int kind_of(int index) const { return kind_of_[static_cast<std::size_t>(index)]; }

    // Gizmos that listen to an event.
    [[nodiscard]] Bits on_file() const { return on_file_; }
    [[nodiscard]] Bits on_pick() const { return on_pick_[0] | on_pick_[1] | on_pick_[2] | on_pick_[3]; }
    [[nodiscard]] Bits on_pick(int color) const { return on_pick_[static_cast<std::size_t>(color)]; }
    [[nodiscard]] Bits on_build(unsigned colors) const { return on_build_[colors]; }
    [[nodiscard]] Bits on_build_from_archive() const { return on_build_from_archive_; }
    [[nodiscard]] Bits on_build_level_2() const { return on_build_level_2_; }

private:
    [[nodiscard]] int kind_for(const Card& card);

    int size_ = 0;
    std::array<Card, MAX_CARDS> cards_{};
    int kind_count_ = 0;
    std::array<Kind, MAX_KINDS> kinds_{};
    std::array<int, MAX_CARDS> kind_of_{};
    std::array<Bits, LEVELS> levels_{};
    std::array<Bits, EFFECTS> effects_{};
    std::array<Bits, 8> specials_{};
    Bits converters_, on_file_, on_build_from_archive_, on_build_level_2_;
    std::array<Bits, COLORS> on_pick_{};
    std::array<Bits, 16> on_build_{};
};

// The table of the process: filled once, when the kernel's wrapper is imported, and only read from then on.
namespace detail {
inline CardTable card_table;
}
[[nodiscard]] inline CardTable& cards() { return detail::card_table; }

// The engine's words for what a card does. Throw std::invalid_argument.
[[nodiscard]] Trigger trigger_named(std::string_view word);
[[nodiscard]] Effect effect_named(std::string_view word);
[[nodiscard]] Conversion conversion_named(std::string_view word);
[[nodiscard]] Special special_named(std::string_view word);

}  // namespace gizmos
