// Triangles without a common line of their planes: coplanar ones, and those without area.
#pragma once

#include "geometry/meeting.hpp"

namespace impinge {

// At least one triangle has no area, or both lie in one plane.
Meeting meet_flat(const Triangle& a, const Triangle& b);

}  // namespace impinge
