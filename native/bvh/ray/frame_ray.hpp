// Rays in the frame of a tree, in floats that never lose a hit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bvh/tree/tree.hpp"
#include "geometry/ray.hpp"

namespace impinge::bvh {

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

constexpr int kPacketWords = 4, kPacketRays = kPacketWords * kLanes;  // a bit for each in a mask

enum class RayState : std::uint8_t { ready, misses, blind };  // blind: floats tell nothing

// How far the edge functions of triangles can be off when a ray passes the box of their leaf, as a
// polynomial of the size of that box: see docs/exactness.md.
class SideBound {
 public:
  SideBound() = default;
  explicit SideBound(double error) {
    constexpr double u = 0x1p-24;
    // reach = a size + b and e = c size + d of 4 reach e + 2 e^2 + 4 u reach^2
    const double a = 2.01 * (1 + u), c = 2.01 * u, d = error + 4.5 * error * u, b = 4.5 * error + d;
    square_ = static_cast<float>(1.01 * (4 * a * c + 2 * c * c + 4 * u * a * a));
    linear_ = static_cast<float>(1.01 * (4 * (a * d + b * c) + 4 * c * d + 8 * u * a * b));
    least_ = static_cast<float>(1.01 * (4 * b * d + 2 * d * d + 4 * u * b * b));
  }

  Float8 operator()(const Float8& size) const {
    return (Float8(square_) * size + Float8(linear_)) * size + Float8(least_);
  }
  float operator()(float size) const { return (square_ * size + linear_) * size + least_; }

 private:
  float square_, linear_, least_;
};

// One ray, or a packet lane by lane.
template <int kRays>
struct alignas(64) FrameRays {
  // Of the slabs: x in the box when x * inverse is between near + near_shift and far + far_shift.
  float inverse[3][kRays], near_shift[3][kRays], far_shift[3][kRays];
  float begin[kRays], end[kRays];  // no hit is outside
  float sure_begin[kRays];         // certainly not before t_min
  // Of the triangles; axes in the order x, y, z with z the largest component of all directions, and
  // its sign.
  int axis[3];
  float sign;
  float origin[3][kRays], shear[2][kRays];
  float plane_error;  // of the position of a plane, but for the edge functions
  float depth_error;  // of a position by its t
  SideBound side_bound;

  // The first n of them, which have one heading; all bounds are those of the farthest. Room for as
  // many as there are lanes must be readable behind the last.
  void place(const Ray* rays, int n, const Frame& frame);
  void limit(const Ray* rays, int n, double t_min, double t_max);
  bool all_ready() const { return all_ready_; }
  RayState state(int i) const { return state_[i]; }
  // A position certainly behind t.
  float behind(int i, double t) const { return static_cast<float>(clamped(i, t) + slack_); }

 private:
  static constexpr int kBlock = std::min(kRays, kLanes);
  // No part of the mesh is farther than this from the start along the ray.
  static constexpr double kReach = 8.0;

  // Eight rays, or one.
  struct Block {
    double o[3][kBlock], d[3][kBlock], distance[kBlock];
  };

  void bring(const Ray* rays, const Frame& frame, int first, Block& block);
  void bring_near(int i, int lane, Block& block);
  void set(int first, const Block& block, double slack);
  double clamped(int i, double t) const {
    const double at = t * pace_[i] - start_[i], most = at < kReach ? at : kReach;
    return most > -kReach ? most : -kReach;
  }

  double start_[kRays], pace_[kRays];  // the position along the ray is t * pace - start
  double slack_;                       // of a position
  RayState state_[kRays];
  bool all_ready_;
};

}  // namespace impinge::bvh
