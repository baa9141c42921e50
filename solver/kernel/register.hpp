// What the parts of the kernel add to the Python module, each in its own file.
#pragma once

#include <nanobind/nanobind.h>

namespace gizmos {

void register_cards(nanobind::module_& module);
void register_search(nanobind::module_& module);
void register_games(nanobind::module_& module);

}  // namespace gizmos
