// How far two triangles are apart, and where they are closest, in float64.
#pragma once

#include "geometry/vec.hpp"

namespace impinge {

struct Nearest {
  double value;         // 0 iff the triangles meet by the exact test
  double points[2][3];  // on a and on b; the same point when they meet
};

// Off by a few roundings of the larger of the distance and the two triangles. Depends on nothing
// but the closest features: a vertex and an edge give the same bits in whichever faces they are.
Nearest triangle_distance(const Triangle& a, const Triangle& b);
// The same for triangles that are known not to meet.
Nearest distance_apart(const Triangle& a, const Triangle& b);

// Size of the largest coordinate of any vertex against the first.
double extent(const Triangle& a, const Triangle& b);

// The gap between two triangles that lie across the same axis, zero for others. The distance that
// `triangle_distance` gives is never less.
double flat_gap(const Triangle& a, const Triangle& b);
// The same for coordinates on that axis; zero for NaN.
double gap_across(double a, double b);

}  // namespace impinge
