// Triangles of the leaves that the rays of a packet enter. Leaves and exact tests are done many at
// a time, so that the work of one ray goes on while that of another waits.
#pragma once

#include <cstdint>

#include "bvh/ray_packet.hpp"

namespace impinge {

template <RayMode kMode>
class RayLeaves {
 public:
  explicit RayLeaves(RayPacket<kMode>& packet)
      : packet_(packet), parents_(&packet.tree.boxes().node(1, 0)) {}

  void visit(std::uint32_t leaf, std::uint32_t rays);
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
    SideBound side;
  };

  // Its triangles that the ray may pass.
  struct Passed {
    Float8 edge[3], z[3];
    Float8 squares;  // of the sheared coordinates, summed
    Visit visit;
    unsigned lanes;
  };

  // One of them, for the exact test.
  struct Candidate {
    std::uint32_t leaf;
    int ray, lane;
    int facing;   // sign of direction times normal when certainly hit, or 0
    float begin;  // certainly before the hit
  };

  void test_visits();
  void test_planes(const Passed& passed);
  void test_candidates();

  static constexpr int kVisits = 16, kCandidates = 64;
  static constexpr int kRays = RayPacket<kMode>::kRays;

  RayPacket<kMode>& packet_;
  const Node* parents_;
  int visits_ = 0, candidates_ = 0;
  Visit visit_[kVisits + kRays];
  Candidate candidate_[kCandidates + kLanes];
  Passed passed_[kVisits + kRays];
};

}  // namespace impinge
