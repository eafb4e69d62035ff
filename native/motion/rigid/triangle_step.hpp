// How long two triangles of moving bodies certainly stay apart, in float64.
#pragma once

#include "geometry/vec.hpp"
#include "motion/rigid/segment.hpp"

namespace impinge::motion {

// Apart means that along some direction the gap is more than `floor`: 0, or less than that where
// triangles may get into each other. The rounding of both bodies is taken from every gap.
struct Clearance {
  double floor, rounding;
};

struct TriangleStep {
  double safe;          // for so long
  double gap;           // now: the distance, or below zero the least overlap of those that meet
  double normal[3];     // unit vector from a to b along which that is; zero for none
  double points[2][3];  // where they are closest, or meet
};

TriangleStep triangle_step(const Triangle& a, const State& moving_a, const Triangle& b,
                           const State& moving_b, const Clearance& clearance);

}  // namespace impinge::motion
