#include "cards.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace gizmos {

namespace {

template <typename Named>
Named named(std::string_view word, std::span<const std::pair<std::string_view, Named>> words) {
    for (const auto& [name, meaning] : words) {
        if (name == word) {
            return meaning;
        }
    }
    throw std::invalid_argument("the kernel does not know what a card's '" + std::string(word) + "' means");
}

}  // namespace

void CardTable::add(const Card& card) {
    if (size_ == MAX_CARDS || (size_ > 0 && cards_[static_cast<std::size_t>(size_ - 1)].id >= card.id)) {
        throw std::invalid_argument("cards are handed over once each, in ascending order");
    }
    const int index = size_++;
    cards_[static_cast<std::size_t>(index)] = card;
    kind_of_[static_cast<std::size_t>(index)] = kind_for(card);
    levels_[static_cast<std::size_t>(card.level)].add(index);
    effects_[static_cast<std::size_t>(card.effect)].add(index);
    specials_[static_cast<std::size_t>(card.special)].add(index);
    if (card.convert_to != Conversion::none) {
        converters_.add(index);
    }
    for (int color = 0; color < COLORS; ++color) {
        if (card.trigger == Trigger::pick && (card.trigger_colors >> color & 1U) != 0) {
            on_pick_[static_cast<std::size_t>(color)].add(index);
        }
    }
    for (unsigned colors = 0; colors < 16; ++colors) {
        if (card.trigger == Trigger::build && (card.trigger_colors & colors) != 0) {
            on_build_[colors].add(index);
        }
    }
    if (card.trigger == Trigger::file) {
        on_file_.add(index);
    } else if (card.trigger == Trigger::build_from_archive) {
        on_build_from_archive_.add(index);
    } else if (card.trigger == Trigger::build_level_2) {
        on_build_level_2_.add(index);
    }
}

int CardTable::kind_for(const Card& card) {
    if (card.effect == Effect::none) {
        return -1;
    }
    for (int kind = 0; kind < kind_count_; ++kind) {
        const Kind& known = kinds_[static_cast<std::size_t>(kind)];
        if (known.effect == card.effect && known.amount == card.amount) {
            return kind;
        }
    }
    if (kind_count_ == MAX_KINDS) {
        throw std::invalid_argument("more different effects than the kernel has room for");
    }
    kinds_[static_cast<std::size_t>(kind_count_)] = {card.effect, card.amount};
    return kind_count_++;
}

int CardTable::index(int id) const {
    for (int index = 0; index < size_; ++index) {
        if (cards_[static_cast<std::size_t>(index)].id == id) {
            return index;
        }
    }
    throw std::invalid_argument("there is no card " + std::to_string(id));
}

Trigger trigger_named(std::string_view word) {
    static constexpr std::pair<std::string_view, Trigger> words[] = {
        {"", Trigger::none},
        {"file", Trigger::file},
        {"pick", Trigger::pick},
        {"build", Trigger::build},
        {"build-from-archive", Trigger::build_from_archive},
        {"build-level-2", Trigger::build_level_2},
    };
    return named<Trigger>(word, words);
}

Effect effect_named(std::string_view word) {
    static constexpr std::pair<std::string_view, Effect> words[] = {
        {"", Effect::none},         {"pick", Effect::pick},         {"draw", Effect::draw},
        {"file", Effect::file},     {"research", Effect::research}, {"points", Effect::points},
        {"free-build-level-1", Effect::free_build},
    };
    return named<Effect>(word, words);
}

Conversion conversion_named(std::string_view word) {
    static constexpr std::pair<std::string_view, Conversion> words[] = {
        {"", Conversion::none},
        {"any", Conversion::any},
        {"double", Conversion::twice},
    };
    return named<Conversion>(word, words);
}

Special special_named(std::string_view word) {
    static constexpr std::pair<std::string_view, Special> words[] = {
        {"", Special::none},
        {"no-file", Special::no_file},
        {"no-research", Special::no_research},
        {"discount-level-2", Special::discount_level_2},
        {"discount-from-archive", Special::discount_from_archive},
        {"discount-from-research", Special::discount_from_research},
        {"points-per-energy", Special::points_per_energy},
        {"points-per-token", Special::points_per_token},
    };
    return named<Special>(word, words);
}

}  // namespace gizmos
