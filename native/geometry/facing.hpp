// Triangles seen along an axis.
#pragma once

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"

namespace impinge {

// Of the corners of a triangle, the one behind another.
constexpr int corner_after(int i) { return i == 2 ? 0 : i + 1; }

// Sign of a component of the normal.
inline int facing(const Triangle& t, int axis) { return orient2d(t[0], t[1], t[2], axis); }

// The first axis along which it is seen with an area; the last if there is none.
inline int axis_with_area(const Triangle& t) {
  int axis = 0;
  while (axis < 2 && facing(t, axis) == 0) ++axis;
  return axis;
}

inline bool has_area(const Triangle& t) { return facing(t, axis_with_area(t)) != 0; }

}  // namespace impinge
