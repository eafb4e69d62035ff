// Rays against the triangles of one tree.
//
// Boxes and triangles are culled in float32 with bounds on all roundings, so that no hit is lost;
// what remains is decided by `pierces`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/tree.hpp"
#include "parallel/ticker.hpp"

namespace impinge {

enum class RayMode { closest, any, all };

struct RayLimits {
  double t_min, t_max;  // both included
};

struct RayHit {
  std::int32_t ray, face;
  double t;
};

// Hits sorted by ray, t, face: for `closest` and `any` at most one for each ray. Of several closest
// ones it is that with the lowest face.
std::vector<RayHit> raycast(const Tree& tree, const double* origins, const double* directions,
                            std::size_t count, RayMode mode, RayLimits limits, int workers,
                            const Ticker::Callback& tick);

}  // namespace impinge
