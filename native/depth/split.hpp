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

// What is over a base or at most `grown` beside it, seen along its normal, and the rest, when
// neither is empty; else the halves along the middle of the longest side. If it is grown, what is
// over it is cut where it is so far away.
void split(const Triangle& t, const Triangle& base, double grown, std::vector<Triangle>& parts);

}  // namespace impinge::depth
