// All colliding pairs of triangles: of many bodies in one scene, or of two bodies in many poses.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "bvh/narrow.hpp"
#include "bvh/placement.hpp"
#include "parallel/ticker.hpp"

namespace impinge {

struct Found {
  Buffer<Key> keys;                   // sorted within each run
  std::vector<std::size_t> run_ends;  // one run per pose; a scene is one run
  Counters counters;
  std::uint64_t body_pairs = 0;  // that passed the broad phase
  double broad_seconds = 0, traverse_seconds = 0, sort_seconds = 0;
};

// Which pairs of bodies to look at, each with a < b; a == b asks for self-collision.
struct BodyPair {
  std::uint32_t a, b;
  auto operator<=>(const BodyPair&) const = default;
};

// Ids of faces count through all bodies: body i starts at the sum of the face counts before it.
Found collide_scene(const std::vector<Placed>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Options& options, int workers,
                    const Ticker::Callback& tick);

// Body b in each of the poses against a at rest; ids of b's faces start at a's face count.
Found collide_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                    const Options& options, int workers, const Ticker::Callback& tick);

// Whether boxes around both bodies are apart, or balls, which are known of trees that have slabs.
// Asked first where a "no" is all there is to say: a query takes longer to set up.
bool clearly_apart(const Placed& a, const Placed& b);

// Whether they collide at all, pose by pose; `options.first` is taken for granted.
void touch_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                 const Options& options, int workers, const Ticker::Callback& tick, bool* touches);

// Pairs of bodies whose world boxes overlap, sorted; of `only`, which is sorted, unless it is null.
std::vector<BodyPair> broad_phase(const std::vector<Placed>& bodies,
                                  const std::vector<BodyPair>* only, int workers);
// The same for boxes; those that are inside out belong to bodies without faces.
std::vector<BodyPair> broad_phase(const std::vector<Bounds>& bounds,
                                  const std::vector<BodyPair>* only, int workers);

}  // namespace impinge
