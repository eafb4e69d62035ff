// What is deeper than a limit in a solid: its core.
#pragma once

#include "depth/distance_to.hpp"

namespace impinge::depth {

// Whether a solid has a point that is farther than the limit from its boundary. True also where
// the effort leaves it open.
bool has_core(const solids::Solid& solid, double limit);

// Calls f(point) for points of the core of a solid, one under each of many faces where there is
// one, until it returns false; whether it never did.
template <class F>
bool for_each_core_point(DistanceTo& to, double limit, const F& f) {
  constexpr std::size_t kMost = 4096;
  constexpr double kUnder = 1.5;  // limits
  const std::size_t faces = to.tree().face_count(), step = faces / kMost + 1;
  for (std::size_t slot = 0; slot < faces; slot += step) {
    const Triangle t = bvh::PlacedTree{&to.tree(), Pose()}.triangle(slot);
    const Vector out = to.outward(t);
    double point[3];
    for (int k = 0; k < 3; ++k) point[k] = (t[0][k] + t[1][k] + t[2][k]) / 3;
    const double under = kUnder * limit;
    point[0] -= under * out.x, point[1] -= under * out.y, point[2] -= under * out.z;
    if (to.find_signed(point) > limit && !f(point)) return false;
  }
  return true;
}

}  // namespace impinge::depth
