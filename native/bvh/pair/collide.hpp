// All colliding pairs of triangles: of many bodies in one scene, or of two bodies in many poses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "bvh/pair/leaf_pairs.hpp"
#include "pairs/findings.hpp"

namespace impinge::bvh {

// Ids of faces count through all bodies; see pairs/jobs.hpp.
Found<Counters> collide_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                              const std::vector<std::uint32_t>& self, const Rule& rule, int workers,
                              const Ticker::Callback& tick);

// Whether there is any such pair; `rule.first` is taken for granted.
bool collides_scene(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Rule& rule, int workers,
                    const Ticker::Callback& tick);

// Body b in each of the poses against a at rest.
Found<Counters> collide_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                              std::size_t pose_count, const Rule& rule, int workers,
                              const Ticker::Callback& tick);

// Whether boxes around both bodies are apart, or balls, which are known of trees that have slabs.
// Asked first where a "no" is all there is to say: a query takes longer to set up.
bool clearly_apart(const Body& a, const Body& b);

// Whether they collide at all, pose by pose; `rule.first` is taken for granted.
void touch_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                 std::size_t pose_count, const Rule& rule, int workers,
                 const Ticker::Callback& tick, bool* touches);

}  // namespace impinge::bvh
