// Triangles of the leaves that the rays of a packet enter. Leaves and exact tests are done many at
// a time, so that the work of one ray goes on while that of another waits.
#pragma once

#include <cstdint>

#include "bvh/ray/leaf_pass.hpp"
#include "bvh/ray/ray_packet.hpp"

namespace impinge::bvh {

template <RayMode kMode>
class RayLeaves {
 public:
  // A ray that enters a node of level 1.
  struct Visit {
    std::uint32_t parent;
    int ray;
    float bound;  // on the errors of edge functions of the triangles below
  };

  explicit RayLeaves(RayPacket<kMode>& packet) : packet_(packet) {}

  // Where the next visits go: room for all rays and all children of a node.
  Visit* more() { return visit_ + visits_; }
  void add(int count) {
    visits_ += count;
    if (visits_ >= kVisits) open_all();
  }
  // Does all that waits.
  void finish() {
    open_all();
    test_entries();
    test_candidates();
  }

 private:
  // A ray that enters leaves under a node.
  struct Opened {
    std::uint32_t first;  // leaf
    int ray;
    float bound;
    unsigned children;
  };

  // One of them.
  struct Entry {
    const Leaf* leaf;
    std::uint32_t index;
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

  void open_all();
  void open(const Visit* visits, int count);
  void test_entries();
  void take(const Passed* passed, const Passed* end_of_passed);
  void test_candidates();

  static constexpr int kVisits = 8, kEntries = 16, kCandidates = 64;
  static constexpr int kOpened = 32;
  static constexpr int kMost = kEntries + kOpened * kLanes;

  RayPacket<kMode>& packet_;
  int visits_ = 0, entries_ = 0, candidates_ = 0;
  Visit visit_[kVisits + kPacketRays * kLanes];
  Opened opened_[kOpened + 1];
  Entry entry_[kMost];
  Candidate candidate_[kCandidates + kLanes];
  Passed passed_[kMost];
};

}  // namespace impinge::bvh
