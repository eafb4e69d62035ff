// Triangles of the leaves that the rays of a packet enter. Leaves and exact tests are done many at
// a time, so that the work of one ray goes on while that of another waits.
#pragma once

#include <cstdint>

#include "bvh/leaf_pass.hpp"
#include "bvh/ray_packet.hpp"

namespace impinge {

template <RayMode kMode>
class RayLeaves {
 public:
  explicit RayLeaves(RayPacket<kMode>& packet)
      : packet_(packet), parents_(&packet.tree.boxes().node(1, 0)) {}

  // Leaves under a node of level 1: a byte for each ray, with a bit for each leaf that it enters.
  void visit(std::uint32_t parent, const std::uint64_t (&entered)[RayPacket<kMode>::kWords]);
  // Does all that waits.
  void finish() {
    test_visits();
    test_candidates();
  }

 private:
  // A ray that enters a leaf.
  struct Visit {
    std::uint32_t leaf;
    int ray;
    float reach, bound;  // of the sides of its triangles
  };

  // Its triangles that the ray may pass.
  struct Passed {
    LeafPass pass;
    std::uint32_t leaf;
    int ray;
  };

  // One of them, for the exact test.
  struct Candidate {
    std::uint32_t leaf;
    int ray, lane;
    int facing;   // sign of direction times normal when certainly hit, or 0
    float begin;  // certainly before the hit
  };

  void test_visits();
  void take(const Passed& passed);
  void test_candidates();

  static constexpr int kVisits = 32, kCandidates = 64;
  static constexpr int kMost = kVisits + RayPacket<kMode>::kRays * kLanes;

  RayPacket<kMode>& packet_;
  const Node* parents_;
  int visits_ = 0, candidates_ = 0;
  Visit visit_[kMost];
  Candidate candidate_[kCandidates + kLanes];
  Passed passed_[kMost];
};

}  // namespace impinge
