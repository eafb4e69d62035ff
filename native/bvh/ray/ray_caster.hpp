// Casts rays in packets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bvh/ray/ray_leaves.hpp"
#include "bvh/ray/ray_order.hpp"
#include "bvh/ray/ray_packet.hpp"

namespace impinge::bvh {

// Belongs to one thread.
template <RayMode kMode>
class RayCaster {
 public:
  RayCaster(const Tree& tree, RayLimits limits, RaySink sink);

  // Any number of rays.
  void cast(const KeyedRay* rays, std::size_t count, const double* origins,
            const double* directions);

 private:
  // A node that rays may enter: how far along, as the bits of a float that is not negative, above
  // level and index, so that its order is the order of the visits.
  using Key = std::uint64_t;
  using Visit = typename RayLeaves<kMode>::Visit;

  static constexpr int kMostLevels = 12;

  // The children of a node that rays enter.
  struct Entered {
    unsigned children;
    Float8 nearest;              // where the first ray enters each
    std::uint32_t rays[kLanes];  // which enter each of them
  };

  void traverse(std::uint32_t rays);
  int open(Key node, std::uint32_t rays, Key* keys, std::uint32_t* entering);
  void open_patch(std::uint32_t index, std::uint32_t rays);
  void open_parent(std::uint32_t rays);
  void enter_one_by_one(const Node& node, std::uint32_t rays, Entered& entered) const;
  void enter_together(const Node& node, std::size_t children, std::uint32_t rays,
                      Entered& entered) const;

  RayPacket<kMode> packet_;
  RayLeaves<kMode> leaves_;
  const int top_;
  const Node* nodes_[kMostLevels + 1];
};

}  // namespace impinge::bvh
