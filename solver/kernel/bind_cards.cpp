// The Python face of the card table and the payments.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "cards.hpp"
#include "payments.hpp"
#include "register.hpp"
#include "stock.hpp"

namespace nb = nanobind;

namespace gizmos {

namespace {

using Row = std::tuple<int, int, unsigned, int, int, std::string, unsigned, std::string, int, unsigned, std::string, int,
                       int, int, int, std::string>;
using Found = std::tuple<std::tuple<int, int, int, int>, std::vector<int>>;

void set_cards(const std::vector<Row>& rows) {
    if (cards().size() != 0) {
        return;
    }
    for (const auto& [id, level, colors, cost, points, trigger, trigger_colors, effect, amount, from, to, uses, storage,
                      archive, research, special] : rows) {
        if (level < 0 || level >= LEVELS || colors > ANY_COLOR || trigger_colors > ANY_COLOR || from > ANY_COLOR) {
            throw std::invalid_argument("a card's level or colours are out of range");
        }
        cards().add({id, level, colors, cost, points, trigger_named(trigger), trigger_colors, effect_named(effect), amount,
                     from, conversion_named(to), uses, storage, archive, research, special_named(special)});
    }
    detail::movers.read(cards());
}

std::vector<Found> list_payments(unsigned colors, int low, int high, std::tuple<int, int, int, int> ring,
                                 const std::vector<int>& converters) {
    const auto [red, blue, black, yellow] = ring;
    const int held[] = {red, blue, black, yellow};
    Marbles marbles;
    for (int color = 0; color < COLORS; ++color) {
        for (int i = 0; i < held[color]; ++i) {
            marbles += Marbles::one(color);
        }
    }
    Bits usable;
    for (const int id : converters) {
        usable.add(cards().index(id));
    }
    std::vector<Found> list;
    for (const Payment& payment : payments(colors & ANY_COLOR, low, high, marbles, usable)) {
        std::vector<int> used;
        for (const int card : each(payment.converters)) {
            used.push_back(cards()[card].id);
        }
        const Marbles& spend = payment.spend;
        list.emplace_back(std::make_tuple(spend[0], spend[1], spend[2], spend[3]), std::move(used));
    }
    return list;
}

}  // namespace

void register_cards(nb::module_& module) {
    module.def("set_cards", &set_cards, nb::arg("cards"), "Hand over the cards; a second call changes nothing.");
    module.def("payments", &list_payments, nb::arg("colors"), nb::arg("low"), nb::arg("high"), nb::arg("ring"),
               nb::arg("converters"), "All minimal payments, as engine.payments lists them.");
}

}  // namespace gizmos
