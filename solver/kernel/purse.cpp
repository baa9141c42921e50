#include "purse.hpp"

#include <algorithm>

#include "cards.hpp"
#include "payments.hpp"

namespace gizmos {

namespace {

int dearest_cost() {
    static const int cost = [] {
        int most = 0;
        for (int card = 0; card < cards().size(); ++card) {
            most = std::max(most, cards()[card].cost);
        }
        return most;
    }();
    return cost;
}

using Priced = std::array<std::array<Bits, HIGHEST_COST + 1>, COLORS + 1>;

// By colour (last: any mixture) and price: the cards that cost no more.
const Priced& no_dearer() {
    static const Priced sets = [] {
        Priced made{};
        for (int card = 0; card < cards().size(); ++card) {
            const Card& each_card = cards()[card];
            for (int at = 0; at <= COLORS; ++at) {
                const bool this_color = at == COLORS ? each_card.colors == ANY_COLOR : each_card.colors == 1U << at;
                for (int limit = each_card.cost; this_color && each_card.level > 0 && limit <= HIGHEST_COST; ++limit) {
                    made[static_cast<std::size_t>(at)][static_cast<std::size_t>(limit)].add(card);
                }
            }
        }
        return made;
    }();
    return sets;
}

}  // namespace

int Purse::doubles(Bits converters) {
    int uses = 0;
    for (const int card : each(converters & cards().converters())) {
        const Card& converter = cards()[card];
        uses += converter.convert_to == Conversion::twice ? std::popcount(converter.convert_from) : 0;
    }
    return uses;
}

const Means& Purse::means(Marbles ring, Bits converters) {
    const Key key{converters, ring.packed};
    if (const Means* known = known_.find(key)) {
        return *known;
    }
    Means means{};
    const int limit = std::min(dearest_cost(), ring.total() + doubles(converters));
    for (int color = 0; color <= COLORS; ++color) {
        const unsigned paid = color == COLORS ? ANY_COLOR : 1U << color;
        int most = std::min(color == COLORS ? ring.total() : ring[color], limit);
        pulse_.check();
        while (most < limit && !payments(paid, most + 1, most + 1, ring, converters).empty()) {
            ++most;
        }
        means[static_cast<std::size_t>(color)] = static_cast<std::uint8_t>(most);
    }
    return known_.put(key, means);
}

int Purse::least_spent(Marbles ring, Bits converters, std::size_t color, int price) {
    if (price == 0 || doubles(converters) == 0) {
        return price;  // other converters change colours only
    }
    const Key key{converters, ring.packed, static_cast<std::uint32_t>(color) << 8U | static_cast<std::uint32_t>(price)};
    if (const std::uint8_t* known = spent_.find(key)) {
        return *known;
    }
    int least = price;
    for (const Payment& payment : payments(color == COLORS ? ANY_COLOR : 1U << color, price, price, ring, converters)) {
        least = std::min(least, payment.spend.total());
    }
    return spent_.put(key, static_cast<std::uint8_t>(least));
}

Bits affordable(const Means& means, int discount, int discount_level_2) {
    const Priced& sets = no_dearer();
    Bits all;
    Bits level_2;
    for (std::size_t color = 0; color <= COLORS; ++color) {
        const int price = means[color] + discount;
        all |= sets[color][static_cast<std::size_t>(std::min(price, HIGHEST_COST))];
        level_2 |= sets[color][static_cast<std::size_t>(std::min(price + discount_level_2, HIGHEST_COST))];
    }
    return all | (level_2 & cards().level(2));
}

}  // namespace gizmos
