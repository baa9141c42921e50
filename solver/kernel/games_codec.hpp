// Positions as bytes, the form in which they come from Python and go back (solver/packed.py describes it).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games_position.hpp"

namespace gizmos::games {

// Throws std::invalid_argument for bytes that are no position. Whether the position is possible is not checked beyond what
// the packed form itself needs: that is the engine's business.
Position decode(std::span<const std::uint8_t> bytes, const Table& table);

std::vector<std::uint8_t> encode(const Position& position);

}  // namespace gizmos::games
