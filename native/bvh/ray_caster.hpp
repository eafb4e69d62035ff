// Casts rays in packets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bvh/ray_leaves.hpp"
#include "bvh/ray_packet.hpp"

namespace impinge {

// Belongs to one thread.
template <RayMode kMode>
class RayCaster {
 public:
  RayCaster(const Tree& tree, RayLimits limits, RaySink sink);

  // Any number of rays.
  void cast(const std::int32_t* ids, std::size_t count, const double* origins,
            const double* directions);

 private:
  // A node that rays may enter: how far along, as the bits of a float that is not negative, above
  // level and index, so that its order is the order of the visits.
  using Key = std::uint64_t;

  static constexpr int kMostLevels = 12;
  static constexpr int kWords = RayPacket<kMode>::kWords, kRays = RayPacket<kMode>::kRays;

  void traverse(std::uint32_t rays);
  int open(Key node, std::uint32_t rays, Key* keys, std::uint32_t* entering);

  RayPacket<kMode> packet_;
  RayLeaves<kMode> leaves_;
  const int top_;
  const Node* nodes_[kMostLevels + 1];
  std::size_t near_[3], far_[3];  // where a node has the sides of boxes passed first and last
};

}  // namespace impinge
