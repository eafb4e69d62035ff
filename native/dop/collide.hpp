// All colliding pairs of triangles by DOP trees: of many bodies, or of two bodies in many poses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "dop/job.hpp"
#include "pairs/findings.hpp"

namespace impinge::dop {

// All trees have the same directions. Ids of faces count through all bodies; see pairs/jobs.hpp.
Found<Counters> collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                              const std::vector<std::uint32_t>& self, const Options& options,
                              int workers, const Ticker::Callback& tick);

// Body b in each of the poses against a at rest.
Found<Counters> collide_poses(const Tree& a, const Tree& b, const double* poses,
                              std::size_t pose_count, const Options& options, int workers,
                              const Ticker::Callback& tick);

}  // namespace impinge::dop
