// One ray against the eight triangles of a leaf, in floats that never lose a hit.
#pragma once

#include "base/lanes.hpp"
#include "bvh/ray/frame_ray.hpp"
#include "bvh/tree/tree.hpp"

namespace impinge::bvh {

// The triangles that a ray may pass within its limits.
struct LeafPass {
  alignas(32) float first[kLanes], last[kLanes];      // where, certainly not before and not behind
  alignas(32) float lowest[kLanes], highest[kLanes];  // of the edge functions
  unsigned lanes;
  float bound;  // on the errors of edge functions

  // Which are certainly passed, and from which side.
  unsigned front() const { return bits(Float8::load(lowest) > Float8(bound)); }
  unsigned back() const { return bits(Float8(-bound) > Float8::load(highest)); }
};

template <int kRays>
class LeafTest {
 public:
  explicit LeafTest(const FrameRays<kRays>& rays)
      : rays_(rays), sign_(rays.sign), plane_error_(rays.plane_error) {
    for (int k = 0; k < 3; ++k) row_[k] = std::size_t(rays.axis[k]) * kLanes;
  }

  // Of ray i; `bound` is that on the errors of edge functions.
  void operator()(const Leaf& leaf, int i, float bound, LeafPass& pass) const {
    const FrameRays<kRays>& r = rays_;
    const float* rows[3] = {leaf.v[0] + row_[0], leaf.v[0] + row_[1], leaf.v[0] + row_[2]};
    const Float8 ox(r.origin[0][i]), oy(r.origin[1][i]), oz(r.origin[2][i]);
    const Float8 sx(r.shear[0][i]), sy(r.shear[1][i]);
    Float8 x[3], y[3], z[3];  // all with the other sign, which is one instruction less for each
    for (int c = 0; c < 3; ++c) {
      z[c] = oz - Float8::load(rows[2] + 3 * kLanes * c);
      x[c] = mul_add(sx, z[c], ox - Float8::load(rows[0] + 3 * kLanes * c));
      y[c] = mul_add(sy, z[c], oy - Float8::load(rows[1] + 3 * kLanes * c));
    }
    const Float8 u = mul_sub(x[1], y[2], y[1] * x[2]);
    const Float8 v = mul_sub(x[2], y[0], y[2] * x[0]);
    const Float8 w = mul_sub(x[0], y[1], y[0] * x[1]);
    const Float8 lowest = min(min(u, v), w), highest = max(max(u, v), w);
    const Mask8 inside = min(negative(lowest), highest) <= Float8(bound);
    // The plane is passed at z0 + (v up + w over) / (u + v + w). For a hit this fraction is at most
    // `spread`, so errors of E in each of u, v, w move it by at most 4 E spread / |u + v + w|.
    // Where the divisor is zero all is infinite or NaN, and no comparison with it rejects.
    const Float8 up = z[0] - z[1], over = z[0] - z[2];
    const Float8 scale = Float8(1.0f) / (u + v + w);
    const Float8 at = mul_sub(mul_add(v, up, w * over), scale, z[0]) * sign_;
    const Float8 spread = (abs(up) + abs(over)) * (Float8(5.0f) * Float8(bound));
    const Float8 slack = mul_add(spread, abs(scale), plane_error_);
    const Float8 soonest = at - slack, latest = at + slack;
    const Mask8 outside = (Float8(r.begin[i]) > latest) | (soonest > Float8(r.end[i]));
    soonest.store(pass.first);
    latest.store(pass.last);
    lowest.store(pass.lowest);
    highest.store(pass.highest);
    pass.lanes = bits(without(inside, outside));
    pass.bound = bound;
  }

 private:
  const FrameRays<kRays>& rays_;
  const Float8 sign_, plane_error_;
  std::size_t row_[3];
};

}  // namespace impinge::bvh
