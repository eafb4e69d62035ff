// Triangles in parts, in float64: the parts cover the whole but for rounding.
#pragma once

#include <vector>

#include "geometry/vec.hpp"

namespace impinge::depth {

// A disc around a triangle.
struct Disc {
  double centre[3];
  double radius = 0;

  explicit Disc(const Triangle& t);
};

// Seen along the normal of a base: what is over it and the rest, when the centre is over it and the
// rest is not empty; else the halves along the middle of the longest side.
void split(const Triangle& t, const Triangle& base, std::vector<Triangle>& parts);

}  // namespace impinge::depth
