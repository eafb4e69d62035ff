// One ray against the eight triangles of a leaf, in floats that never lose a hit.
#pragma once

#include "bvh/frame_ray.hpp"
#include "bvh/tree.hpp"
#include "simd/lanes.hpp"

namespace impinge {

// The triangles that a ray may pass within its limits.
struct LeafPass {
  alignas(32) float first[kLanes], last[kLanes];  // where, certainly not before and not behind
  unsigned lanes;
  unsigned front, back;  // which are certainly passed, and from which side

  LeafPass() = default;
  // Of ray i; `limit` is the bound on the errors of edge functions.
  template <int kRays>
  LeafPass(const Leaf& leaf, const FrameRays<kRays>& r, int i, float limit) {
    const float* rows[3] = {leaf.v[r.axis[0]], leaf.v[r.axis[1]], leaf.v[r.axis[2]]};
    const Float8 ox(r.origin[0][i]), oy(r.origin[1][i]), oz(r.origin[2][i]);
    const Float8 sx(r.shear[0][i]), sy(r.shear[1][i]);
    Float8 x[3], y[3], z[3];
    for (int c = 0; c < 3; ++c) {
      z[c] = Float8::load(rows[2] + 3 * kLanes * c) - oz;
      x[c] = mul_add(sx, z[c], Float8::load(rows[0] + 3 * kLanes * c) - ox);
      y[c] = mul_add(sy, z[c], Float8::load(rows[1] + 3 * kLanes * c) - oy);
    }
    const Float8 u = mul_sub(x[1], y[2], y[1] * x[2]);
    const Float8 v = mul_sub(x[2], y[0], y[2] * x[0]);
    const Float8 w = mul_sub(x[0], y[1], y[0] * x[1]);
    const Float8 bound(limit), minus_bound(-limit);
    const Float8 lowest = min(min(u, v), w), highest = max(max(u, v), w);
    const Mask8 inside = (minus_bound <= lowest) | (highest <= bound);
    // The plane is passed at z0 + (v up + w over) / (u + v + w). For a hit this fraction is at most
    // `spread`, so errors of E in each of u, v, w move it by at most 4 E spread / |u + v + w|.
    // Where the divisor is zero all is infinite or NaN, and no comparison with it rejects.
    const Float8 up = z[1] - z[0], over = z[2] - z[0];
    const Float8 scale = Float8(1.0f) / (u + v + w);
    const Float8 at = mul_add(mul_add(v, up, w * over), scale, z[0]) * Float8(r.sign);
    const Float8 spread = (abs(up) + abs(over)) * Float8(5.0f * limit);
    const Float8 slack = mul_add(spread, abs(scale), Float8(r.plane_error));
    const Float8 soonest = at - slack, latest = at + slack;
    const Mask8 outside = (Float8(r.begin[i]) > latest) | (soonest > Float8(r.end[i]));
    soonest.store(first);
    latest.store(last);
    lanes = bits(inside) & ~bits(outside);
    front = bits(lowest > bound);
    back = bits(minus_bound > highest);
  }
};

}  // namespace impinge
