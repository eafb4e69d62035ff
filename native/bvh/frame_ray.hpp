// A ray in the frame of a tree, in floats that never lose a hit.
#pragma once

#include <algorithm>
#include <cstddef>

#include "bvh/tree.hpp"
#include "geometry/ray.hpp"

namespace impinge {

// Bounds on the roundings, with u = 2^-24 and all lengths in the frame. There the points X of the
// mesh have |X| < 1 and stored floats within kRounding, and the start O of a ray is at most 2.01
// from the centre, so that differences X - O are below 3.1. Whatever a far start lost when it was
// moved to the mesh, `moved`, is added to the bounds. The proofs are in docs/exactness.md.

// Of a slab, as a shift of its planes: u for the product with the box, 4.1 u for the start and its
// product, 3 * 3.1 u for the sum and the inverse, kRounding.
constexpr double kSlabError = 1e-6;
// Of a difference X - O: kRounding, 2.01 u, 3.1 u.
constexpr double kDifferenceError = 3.4e-7;
// Of a sheared coordinate x - s z, but for its last rounding: two differences, and 3.1 u each for
// the slope s and the product.
constexpr double kShearError = 2 * kDifferenceError + 2 * 3.1 * 0x1p-24;
// Of the depth of a plane but for its edge functions: differences and sums of numbers below 6.2.
constexpr double kPlaneError = 4e-6;
// Of a far start, for each unit of its distance; some roundings of 2^-53.
constexpr double kFarError = 0x1p-48;

// Of the rounded t of a hit, twice, for each unit of the way to it: see `inner_depth`.
constexpr double kDepthError = 0x1p-37;

struct alignas(64) FrameRay {
  enum class State { ready, misses, blind };  // blind: floats tell nothing, test every triangle

  // Of the slabs: x in the box when x * inverse is between near + near_shift and far + far_shift.
  float inverse[3], near_shift[3], far_shift[3];
  float begin, end;  // no hit is outside
  float sure_begin;  // certainly not before t_min
  // Of the triangles; axes in the order x, y, z with z the largest component of the direction.
  int axis[3];
  float origin[3], shear[2], sign;
  float error;        // of sheared coordinates, but for their last rounding
  float plane_error;  // of the position of a plane, but for the edge functions
  float depth_error;  // of a position by its t

  State place(const Ray& ray, const Frame& frame);

  void limit(double t_min, double t_max) {
    begin = static_cast<float>(clamped(t_min) - slack_);
    sure_begin = behind(t_min);
    end = behind(t_max);
  }
  // A position certainly behind t.
  float behind(double t) const { return static_cast<float>(clamped(t) + slack_); }

 private:
  // No part of the mesh is farther than this from the start along the ray.
  static constexpr double kReach = 8.0;
  double clamped(double t) const { return std::clamp(t * pace_ - start_, -kReach, kReach); }

  double start_, pace_;  // the position along the ray is t * pace - start
  double slack_;         // of a position
};

// How far the edge functions of triangles can be off whose sheared coordinates are at most `reach`,
// as they are when they are hit and of this size.
struct SideBounds {
  Float8 reach, bound;

  SideBounds(const Float8& size, float ray_error) {
    const Float8 width = size * Float8(2.01f) + Float8(4e-7f);
    const Float8 error = Float8(ray_error) + width * Float8(0x1p-24f);
    reach = width + error;
    bound = Float8(1.01f) * ((reach * Float8(4.0f) + error * Float8(2.0f)) * error +
                             reach * reach * Float8(0x1p-22f));
  }
};

}  // namespace impinge
