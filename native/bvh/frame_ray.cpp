#include "bvh/frame_ray.hpp"

#include <cmath>

namespace impinge {
namespace {

// Beyond this loss the float frame tells nothing.
constexpr double kBlind = 1e-3;
// A component below moves the ray by less than 1e-11 within the mesh: its slab is passed at once.
constexpr double kParallel = 1e-12;

}  // namespace

FrameRay::State FrameRay::place(const Ray& ray, const Frame& frame) {
  const double largest = std::abs(ray.direction[ray.axis]), shrink = 1 / largest;
  pace_ = largest * frame.scale;
  start_ = 0;
  double o[3], d[3], distance = 0;
  for (int k = 0; k < 3; ++k) {
    o[k] = (ray.origin[k] - frame.centre[k]) * frame.scale;
    d[k] = ray.direction[k] * shrink;
    distance = std::max(distance, std::abs(o[k]));
  }
  const double moved = kFarError * distance;
  if (!(moved < kBlind && pace_ < 1e300)) return State::blind;
  if (distance > 1) {
    // the point of the line nearest to the centre of the mesh
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    start_ = -(o[0] * d[0] + o[1] * d[1] + o[2] * d[2]) / square;
    double left = 0;
    for (int k = 0; k < 3; ++k) {
      o[k] += start_ * d[k];
      left += o[k] * o[k];
    }
    if (left > 4 && std::sqrt(left) > 2 + moved) return State::misses;
  }
  const double depth = kDepthError * (distance + 2) + 2 * moved;
  depth_error = static_cast<float>(1.01 * depth);
  slack_ = kSlabError + depth;
  error = static_cast<float>(1.01 * (kShearError + 2 * moved));
  plane_error = static_cast<float>(1.01 * (kPlaneError + 4 * moved));
  for (int k = 0; k < 3; ++k) {
    const double along = std::abs(d[k]) < kParallel ? std::copysign(kParallel, d[k]) : d[k];
    const double slack = std::copysign(kSlabError + moved, along);
    inverse[k] = 1 / static_cast<float>(along);
    near_shift[k] = static_cast<float>(o[k] + slack) * inverse[k];
    far_shift[k] = static_cast<float>(o[k] - slack) * inverse[k];
  }
  axis[2] = ray.axis;
  axis[0] = ray.axis == 2 ? 0 : ray.axis + 1;
  axis[1] = ray.axis == 0 ? 2 : ray.axis - 1;
  sign = d[ray.axis] < 0 ? -1.0f : 1.0f;
  for (int k = 0; k < 3; ++k) origin[k] = static_cast<float>(o[axis[k]]);
  for (int k = 0; k < 2; ++k) shear[k] = static_cast<float>(d[axis[k]]) * -sign;
  return State::ready;
}

}  // namespace impinge
