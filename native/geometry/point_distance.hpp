// How far a point is from a triangle, and where it is closest, in float64.
#pragma once

#include "geometry/vec.hpp"

namespace impinge {

struct NearPoint {
  double value;
  double point[3];  // of the triangle
};

// Off by a few roundings of the larger of the distance and the triangle. Depends on nothing but the
// closest feature: a vertex or an edge gives the same bits in whichever face it is.
NearPoint point_distance(const double* p, const Triangle& t);

}  // namespace impinge
