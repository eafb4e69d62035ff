// Whether a solid lies within another, or has the same surface, but for a tolerance.
#pragma once

#include "depth/distance_to.hpp"

namespace impinge::depth {

enum class Beyond { outside, inside, either_side };

// Whether no point of the boundary of one solid is farther than the limit from that of the other,
// of the points outside of it, inside, or of all. False also where rounding or the effort leave it
// open.
bool stays_within(const DistanceTo& own, DistanceTo& other, double limit, Beyond beyond);

// Whether no point of one solid is farther than the limit outside of the other, and its core is in
// it. False also where that is left open, and for a solid in which the other has walls or cracks.
bool lies_within(DistanceTo& own, DistanceTo& other, double limit);

}  // namespace impinge::depth
