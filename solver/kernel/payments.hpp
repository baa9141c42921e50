// Every way to pay for a card, as engine/payments.py lists them.
#pragma once

#include <vector>

#include "bits.hpp"
#include "marbles.hpp"

namespace gizmos {

struct Payment {
    Marbles spend;
    Bits converters;
};

// All payments of `low` to `high` marbles of the colours in the mask `colors` (one colour, or all for any mixture)
// out of a ring, without superfluous converters, in the engine's order: by marbles red, blue, black, yellow, then
// by the numbers of the converters. `converters` are the unused built ones.
[[nodiscard]] std::vector<Payment> payments(unsigned colors, int low, int high, Marbles ring, Bits converters);

}  // namespace gizmos
