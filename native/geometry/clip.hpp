// Clip a point, segment or triangle by a triangle in the same plane, exactly.
#pragma once

#include "geometry/hull.hpp"
#include "geometry/meeting.hpp"

namespace impinge {

// The window has three points. Corners come counter-clockwise about the normal of a subject that is
// a triangle, and in no particular order otherwise.
Meeting clip(const Hull& subject, const Hull& window);

}  // namespace impinge
