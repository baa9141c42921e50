// The canonical form: what cannot matter any more is dropped, and what is alike becomes equal.
#pragma once

#include "alike.hpp"
#include "closure.hpp"
#include "problem.hpp"
#include "purse.hpp"
#include "state.hpp"

namespace gizmos {

// Where a single paid build is left, no marble comes before it and none matters after it, marbles and converters are
// replaced by what they can pay: `ring` then holds the most that can be paid in each colour, and `purse` is set.
void canonicalise(const Problem& problem, State& state, const Closure& closure, Alike& alike, Purse& purse);

// Fills the purse where that is sound, leaving out of account cards that a research in progress could build and that
// make marbles worth points; relaxed states get one, too. True if it did.
bool fill_purse(const Problem& problem, State& state, const Closure& closure, Purse& purse);

}  // namespace gizmos
