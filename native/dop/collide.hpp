// All colliding pairs of triangles by DOP trees: of many bodies, or of two bodies in many poses.
#pragma once

#include <cstdint>
#include <vector>

#include "bvh/collide.hpp"
#include "dop/job.hpp"
#include "parallel/ticker.hpp"

namespace impinge::dop {

struct Found {
  std::vector<Key> keys;              // sorted within each run
  std::vector<std::size_t> run_ends;  // one run per pose; a scene is one run
  Counters counters;
  std::uint64_t body_pairs = 0;  // that passed the broad phase
  double broad_seconds = 0, traverse_seconds = 0, sort_seconds = 0;
};

// All trees have the same directions. Ids of faces count through all bodies: body i starts at the
// sum of the face counts before it.
Found collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Options& options, int workers,
                    const Ticker::Callback& tick);

// Body b in each of the poses against a at rest; ids of b's faces start at a's face count.
Found collide_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                    const Options& options, int workers, const Ticker::Callback& tick);

// The larger body gives the frame: in that of the smaller one the coordinates of the other could
// be too large for float.
Job make_job(Body a, Body b, std::uint32_t offset_a, std::uint32_t offset_b);

}  // namespace impinge::dop
