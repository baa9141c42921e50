// What can still happen in a turn. Everything errs on the side of "can".
#pragma once

#include "bits.hpp"
#include "problem.hpp"
#include "purse.hpp"
#include "state.hpp"

namespace gizmos {

enum Event : unsigned { PICK_EVENT = 1, FILE_EVENT = 2, BUILD_EVENT = 4 };

struct Closure {
    Bits coming;  // own gizmos that may be triggered yet
    Bits made;    // gizmos that may be built on the way and be triggered then

    // At most so many can come: marbles picked and drawn, effects that file, build for nothing, research. A research in
    // progress and the main action are counted apart.
    int picks = 0;
    int draws = 0;
    int files = 0;
    int frees = 0;
    int researches = 0;
    bool deciding = false;  // a research is in progress
    bool main = false;

    unsigned events = 0;           // that can come at all
    unsigned after_build = 0;      // that can come after a build
    bool more_researches = false;  // after a build
    bool more_files = false;       // after a build

    Bits useful;  // cards that a research to come could build, or file to some use
    Bits usable;  // those, and what the research in progress could

    // Builds that must be paid.
    [[nodiscard]] bool paid() const { return main || deciding || researches > 0; }
    // Decisions that take a card from somewhere.
    [[nodiscard]] int takes() const { return files + frees + researches + (deciding ? 1 : 0) + (main ? 1 : 0); }
    // At most so many builds.
    [[nodiscard]] int builds() const { return researches + frees + (deciding ? 1 : 0) + (main ? 1 : 0); }
};

// How many single steps the waiting and pending effects of that sort come to.
[[nodiscard]] int steps(const State& state, Effect effect);
// They are not used any more.
void drop(State& state, Effect effect);

[[nodiscard]] Closure closure(const Problem& problem, const State& state, Purse& purse);

}  // namespace gizmos
