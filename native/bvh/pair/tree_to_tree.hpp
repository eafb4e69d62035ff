// Descending two trees level by level, each seen from the frame of the other.
#pragma once

#include <cstddef>

#include "base/buffer.hpp"
#include "boxes/front.hpp"
#include "bvh/tree/placed_tree.hpp"
#include "bvh/tree/slabs.hpp"

namespace impinge::bvh {

// How two trees stand to each other, both ways, and their slabs if both have them.
struct TreeToTree {
  FrameMap to_a, to_b;
  const Slabs *slabs_a, *slabs_b;

  TreeToTree(const PlacedFrame& a, const PlacedFrame& b, const Slabs* slabs_a = nullptr,
             const Slabs* slabs_b = nullptr)
      : to_a(a, b), to_b(b, a), slabs_a(slabs_a), slabs_b(slabs_b) {}
  // For what is within a distance of each other; slabs part only what does not meet.
  void grow(double distance) {
    to_a.grow(distance);
    to_b.grow(distance);
    slabs_a = slabs_b = nullptr;
  }
  bool has_slabs(Levels levels) const {
    return slabs_a && slabs_b && slabs_a->has(levels.a) && slabs_b->has(levels.b);
  }
};

// Boxes must overlap in the frame of a and in that of b: turned against each other, boxes that
// overlap along the axes of one are often apart along those of the other. And patches must reach
// into each other's slabs.
void expand_pair(const Hierarchy& a, const Hierarchy& b, Levels levels, const TreeToTree& map,
                 const Item* items, std::size_t n, Buffer<Item>& out);

}  // namespace impinge::bvh
