// The leaves of a tree that rays along an axis may meet.
//
// The floats of a tree keep the order of the float64 coordinates, so that a point is never seen
// outside a box in which it is: nothing has to be grown.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bvh/tree/leaf.hpp"
#include "bvh/tree/tree.hpp"

namespace impinge::solids {

// The axis of the rays, and the two across.
struct Axes {
  int along, across[2];

  explicit Axes(int axis)
      : along(axis), across{axis == 2 ? 0 : axis + 1, axis == 0 ? 2 : axis - 1} {}
};

// The axis along which rays meet the fewest boxes.
int best_axis(const Hierarchy& boxes);

// What all rays up an axis from the points of a box may meet.
inline Box column_of(Box box, const Axes& axes) {
  box.hi[axes.along] = 1;  // nothing is higher
  return box;
}

// Calls f(leaf, parent) for each leaf whose box meets another, until it answers false; false when
// it did. The box of the leaf is a lane of its parent.
template <class F>
bool for_each_leaf(const Hierarchy& boxes, const Box& box, F f) {
  struct Item {
    std::int32_t level;
    std::uint32_t index;
  };
  constexpr int kMostLevels = 12;
  Item stack[kMostLevels * kLanes];
  int depth = 0;
  stack[depth++] = {boxes.top(), 0};
  const Box8 wide = broadcast(box);
  while (depth > 0) {
    const Item item = stack[--depth];
    const Node& node = boxes.node(item.level, item.index);
    unsigned met = overlapping(load_boxes(node), wide) & boxes.children(item.level, item.index);
    for (; met; met &= met - 1) {
      const std::uint32_t index =
          item.index * kLanes + static_cast<std::uint32_t>(std::countr_zero(met));
      if (item.level > 1) {
        stack[depth++] = {item.level - 1, index};
      } else if (!f(std::size_t{index}, node)) {
        return false;
      }
    }
  }
  return true;
}

// The triangles of a leaf whose boxes meet another.
inline unsigned triangles_meeting(const bvh::Tree& tree, std::size_t leaf, const Box& box) {
  return overlapping(bvh::triangle_boxes(tree.leaf(leaf)), broadcast(box)) & tree.lanes(leaf);
}

// Whether no triangle has a box that meets this one.
inline bool is_empty(const bvh::Tree& tree, const Box& box) {
  return for_each_leaf(tree.boxes(), box, [&](std::size_t leaf, const Node&) {
    return triangles_meeting(tree, leaf, box) == 0;
  });
}

}  // namespace impinge::solids
