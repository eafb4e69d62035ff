// On which side of a solid many points are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ticker.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

// side_of each of the points (count, 3). Throws std::invalid_argument for a coordinate that is not
// finite or beyond 1e100.
void sides_of(const bvh::Tree& tree, const double* points, std::size_t count, Sense sense,
              int workers, const Ticker::Callback& tick, std::int8_t* sides);

}  // namespace impinge::solids
