// Möller's interval test (A Fast Triangle-Triangle Intersection Test, 1997) in plain float64:
// touching counts, and rounding decides what is nearly so.
#pragma once

#include "geometry/vec.hpp"

namespace impinge {

bool moller(const Triangle& a, const Triangle& b);

// The coplanar case: do the triangles overlap in the projection along an axis?
bool overlap_along(const Triangle& a, const Triangle& b, int axis);

}  // namespace impinge
