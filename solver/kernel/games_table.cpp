#include "games_table.hpp"

#include <stdexcept>
#include <string>

namespace gizmos::games {

namespace {

std::uint8_t small(int value, int limit, const char* what) {
    if (value < 0 || value > limit) throw std::invalid_argument(std::string("card table: ") + what + " out of range");
    return static_cast<std::uint8_t>(value);
}

}  // namespace

Table::Table(const CardTable& cards)
    : size_(cards.size()),
      on_file_(cards.on_file()),
      on_build_from_archive_(cards.on_build_from_archive()),
      on_build_level_2_(cards.on_build_level_2()) {
    for (int level = 0; level < LEVELS; ++level) levels_[static_cast<std::size_t>(level)] = cards.level(level);
    for (int color = 0; color < COLORS; ++color) {
        on_pick_[static_cast<std::size_t>(color)] = cards.on_pick(color);
        on_build_[static_cast<std::size_t>(color)] = cards.on_build(1U << color);
    }
    on_build_[any_color] = cards.on_build(ANY_COLOR);
    for (int index = 0; index < size_; ++index) {
        const Card& card = cards[index];
        Facts& facts = facts_[static_cast<std::size_t>(index)];
        facts.level = small(card.level, LEVELS - 1, "level");
        facts.paid = card.colors == ANY_COLOR ? any_color : static_cast<std::uint8_t>(std::countr_zero(card.colors | 16U));
        facts.cost = small(card.cost, max_cost, "cost");
        facts.points = small(card.points, 255, "points");
        facts.effect = card.effect;
        facts.amount = small(card.amount, 255, "amount");
        facts.storage = small(card.storage, 31, "storage");
        facts.archive = small(card.archive, 31, "archive");
        facts.research = small(card.research, 31, "research");
        facts.special = card.special;
        if (card.convert_to == Conversion::none) continue;
        facts.converter = small(static_cast<int>(converters_.size()), max_converters - 1, "number of converters");
        converters_.push_back({static_cast<CardIndex>(index), card.convert_from, card.convert_to, card.convert_uses});
    }
}

}  // namespace gizmos::games
