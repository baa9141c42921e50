// The Python face of the search kernel: the module gizmos_kernel.
#include <nanobind/nanobind.h>

#include "register.hpp"

NB_MODULE(gizmos_kernel, module) {
    module.def(
        "version", [] { return GIZMOS_VERSION; }, "The version of gizmos-solver this kernel was built for.");
    module.def(
        "source_digest", [] { return GIZMOS_SOURCE_DIGEST; }, "SHA-256 over the kernel's source files.");
    gizmos::register_cards(module);
    gizmos::register_games(module);
    gizmos::register_search(module);
}
