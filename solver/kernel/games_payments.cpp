#include "games_payments.hpp"

#include <algorithm>
#include <stdexcept>

#include "payments.hpp"

namespace gizmos::games {

namespace {

constexpr int slot_bits = 14;
constexpr std::size_t slot_count = std::size_t{1} << slot_bits;
constexpr std::size_t most_filled = slot_count / 2;
constexpr std::size_t most_stored = std::size_t{1} << 19;
constexpr Marbles any_ring{0x0F0F0F0FU};
// Up to so many uses of converters a list is made for every ring at once; see the class.
constexpr int uses_for_any_ring = 4;

// A price is 15 at most, so a ring that holds more of a colour holds enough.
Marbles at_most_15(Marbles ring) {
    Marbles result;
    for (int color = 0; color < COLORS; ++color) result += marbles_of(color, std::min(ring[color], max_cost));
    return result;
}

std::uint64_t key_of(int color, int low, int high, Marbles ring, std::uint32_t converters) {
    std::uint64_t key = converters;
    for (int each = 0; each < COLORS; ++each) key = key << 4 | static_cast<std::uint64_t>(ring[each]);
    key = key << 3 | static_cast<std::uint64_t>(color);
    key = key << 4 | static_cast<std::uint64_t>(low);
    key = key << 4 | static_cast<std::uint64_t>(high);
    return key << 1 | 1;  // never 0, which marks an empty slot
}

}  // namespace

Payments::Payments(const Table& table) : table_(table), slots_(slot_count) {
    static_assert(max_converters + 4 * COLORS + 3 + 4 + 4 + 1 <= 64, "a key has room for all it is made of");
    std::uint32_t bit = 1;
    for (const Converter& converter : table.converters()) {
        const bool doubles = converter.to == Conversion::twice;
        for (unsigned mask = 1; mask <= ANY_COLOR; ++mask) {
            if ((converter.from & mask) != 0) (doubles ? doubling_ : to_any_)[mask] |= bit;
        }
        const int own = doubles ? std::popcount(converter.from) : converter.uses;
        if (own > 2) throw std::invalid_argument("card table: a converter with more than two uses");
        if (own == 2) twice_ |= bit;
        bit <<= 1;
    }
}

// Leaves out the converters that cannot take part: those whose marbles cannot come about, and those whose results cannot be
// needed. What is left asks the same question for many more rings and colours.
std::uint32_t Payments::useful(int color, Marbles ring, std::uint32_t converters) const {
    const unsigned owned = colors_of(ring);
    std::uint32_t any = converters & to_any_[owned];
    std::uint32_t doublers = converters & doubling_[owned];
    if (any != 0) {
        any = converters & to_any_[ANY_COLOR];
        doublers = converters & doubling_[ANY_COLOR];
    }
    if (color == any_color) return doublers == 0 ? 0 : any | doublers;
    const unsigned paid = 1U << color;
    unsigned needed = paid;
    for (unsigned source = 1; source <= ANY_COLOR; source <<= 1) {
        if ((any & to_any_[source]) != 0) needed |= source;
    }
    if (needed == paid) return converters & doubling_[owned & paid];  // marbles of the paid colour need no conversion to it
    return any | (doublers & doubling_[needed]);
}

std::span<const Payment> Payments::listed(int color, int low, int high, Marbles ring, std::uint32_t converters) {
    const Marbles limit = uses(converters) <= uses_for_any_ring ? any_ring : at_most_15(ring);
    const std::uint64_t key = key_of(color, low, high, limit, converters);
    Slot* slot = slot_of(key);
    if (slot->key == 0) {
        if (filled_ >= most_filled || store_.size() >= most_stored) {
            forget();
            slot = slot_of(key);
        }
        Bits cards;
        for (std::uint32_t rest = converters; rest != 0; rest &= rest - 1) {
            cards.add(table_.converters()[static_cast<std::size_t>(std::countr_zero(rest))].card);
        }
        const unsigned mask = color == any_color ? ANY_COLOR : 1U << color;
        *slot = {key, static_cast<std::uint32_t>(store_.size()), 0};
        for (const gizmos::Payment& payment : payments(mask, low, high, limit, cards)) {
            std::uint32_t used = 0;
            visit_each(payment.converters, [&](int card) { used |= std::uint32_t{1} << table_.card(card).converter; });
            store_.push_back({payment.spend, used});
        }
        slot->count = static_cast<std::uint32_t>(store_.size()) - slot->begin;
        ++filled_;
        ++misses_;
    }
    return std::span(store_).subspan(slot->begin, slot->count);
}

// The slot with this key, or the empty one where it belongs.
Payments::Slot* Payments::slot_of(std::uint64_t key) {
    auto place = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> (64 - slot_bits));
    while (slots_[place].key != 0 && slots_[place].key != key) place = (place + 1) % slot_count;
    return &slots_[place];
}

void Payments::forget() {
    std::ranges::fill(slots_, Slot{});
    filled_ = 0;
    store_.clear();
}

}  // namespace gizmos::games
