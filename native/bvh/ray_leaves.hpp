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
  // A ray that enters a node of level 1.
  struct Visit {
    std::uint32_t parent;
    int ray;
  };

  explicit RayLeaves(RayPacket<kMode>& packet) : packet_(packet) {}

  void visit(const Visit* visits, int count);
  // Does all that waits.
  void finish() {
    test_entries();
    test_candidates();
  }

 private:
  // A ray that enters leaves under a node.
  struct Opened {
    alignas(32) float bound[kLanes];  // of the sides of triangles in each leaf
    std::uint32_t first;              // leaf
    int ray;
    unsigned children;
  };

  // One of them.
  struct Entry {
    std::uint32_t leaf;
    int ray;
    float bound;
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

  void open(const Visit* visits, int count);
  void test_entries();
  void take(const Passed& passed);
  void test_candidates();

  static constexpr int kEntries = 32, kCandidates = 64;
  static constexpr int kOpened = 32;
  static constexpr int kMost = kEntries + kOpened * kLanes;

  RayPacket<kMode>& packet_;
  int entries_ = 0, candidates_ = 0;
  Opened opened_[kOpened + 1];
  Entry entry_[kMost];
  Candidate candidate_[kCandidates + kLanes];
  Passed passed_[kMost];
};

}  // namespace impinge
