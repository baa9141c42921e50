// From Python positions and objectives to the kernel's form.
#pragma once

#include <nanobind/nanobind.h>

#include "problem.hpp"
#include "state.hpp"
#include "turn.hpp"

namespace gizmos {

// What is the same in the whole turn that begins (or goes on) with a position. `terms` as solver/compiled.py writes them.
// Throws std::invalid_argument for what the kernel has no room for.
[[nodiscard]] Problem read_problem(nanobind::handle position, nanobind::handle terms, nanobind::handle luck);

// A position of that turn. `seat` is the player whose turn it is.
[[nodiscard]] Reading read_position(const Problem& problem, int seat, nanobind::handle position);

}  // namespace gizmos
