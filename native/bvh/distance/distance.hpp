// The smallest distance between two meshes: branch and bound on their trees.
//
// Bounds in float32 only skip pairs that are provably farther than the best one, by more than the
// float64 distance of two triangles can be off. What is left is compared by (distance, face of a,
// face of b), so the answer depends neither on the order of the search nor on where it started.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/ticker.hpp"
#include "bvh/pair/prepared_tree.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::bvh {

struct Closest {
  double value = std::numeric_limits<double>::infinity();
  double points[2][3]{};  // on a and on b, in the world
  std::int32_t face_a = -1, face_b = -1;
};

struct DistanceCounters {
  std::uint64_t node_pairs = 0, leaf_pairs = 0, triangle_pairs = 0;
};

struct Distances {
  std::vector<Closest> closest;  // one per pose
  DistanceCounters counters;
};

// Body b in each of the poses against a at rest. Distances above `upper_bound` are left infinite.
// `hints` are pairs of faces to begin with, one per pose; null or -1 is none.
Distances distance_poses(const PreparedTree& a, const PreparedTree& b, const double* poses,
                         std::size_t pose_count, double upper_bound, const std::int32_t* hints,
                         int workers, const Ticker::Callback& tick);

struct PairDistances {
  std::vector<BodyPair> pairs;   // sorted
  std::vector<Closest> closest;  // of each
};

// Of bodies in their places: the pairs that are within `upper_bound`, of `only` unless it is null.
PairDistances distance_pairs(const std::vector<Body>& bodies, const std::vector<BodyPair>* only,
                             double upper_bound, int workers, const Ticker::Callback& tick);

}  // namespace impinge::bvh
