// Rays against the triangles of one tree.
//
// Boxes and triangles are culled in float32 with bounds on all roundings, so that no hit is lost;
// what remains is decided by `pierces`.
#pragma once

#include <cstddef>

#include "base/ticker.hpp"
#include "bvh/ray/ray_hits.hpp"
#include "bvh/tree/tree.hpp"

namespace impinge::bvh {

enum class RayMode { closest, any, all };

struct RayLimits {
  double t_min, t_max;  // both included
};

// Hits sorted by ray, t, face: for `closest` and `any` at most one for each ray. Of several closest
// ones it is that with the lowest face.
RayHits raycast(const Tree& tree, const double* origins, const double* directions,
                std::size_t count, RayMode mode, RayLimits limits, int workers,
                const Ticker::Callback& tick);

}  // namespace impinge::bvh
