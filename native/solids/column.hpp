// The leaves of a tree that rays along an axis may meet.
//
// The floats of a tree keep the order of the float64 coordinates, so that a point is never seen
// outside a box in which it is: nothing has to be grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bvh/tree/tree.hpp"

namespace impinge::solids {

// The axis of the rays, and the two across.
struct Axes {
  int along, across[2];

  explicit Axes(int axis)
      : along(axis), across{axis == 2 ? 0 : axis + 1, axis == 0 ? 2 : axis - 1} {}
};

// Holds all rays up an axis from some points.
struct Column {
  float lo[2], hi[2];  // across
  float start;         // of the lowest

  unsigned met(const Axes& axes, const Box8& boxes) const {
    const int y = axes.across[0], z = axes.across[1];
    const Mask8 lower = (boxes.lo[y] <= Float8(hi[0])) & (boxes.lo[z] <= Float8(hi[1]));
    const Mask8 upper = (Float8(lo[0]) <= boxes.hi[y]) & (Float8(lo[1]) <= boxes.hi[z]);
    return bits(lower & upper & (Float8(start) <= boxes.hi[axes.along]));
  }
};

// Calls f(leaf) for each leaf whose box the column meets.
template <class F>
void for_each_leaf(const Hierarchy& boxes, const Axes& axes, const Column& column, F f) {
  struct Item {
    std::int32_t level;
    std::uint32_t index;
  };
  constexpr int kMostLevels = 12;
  Item stack[kMostLevels * kLanes];
  int depth = 0;
  stack[depth++] = {boxes.top(), 0};
  while (depth > 0) {
    const Item item = stack[--depth];
    const unsigned met = column.met(axes, load_boxes(boxes.node(item.level, item.index))) &
                         boxes.children(item.level, item.index);
    for_each_bit(met, [&](int child) {
      const std::uint32_t index = item.index * kLanes + static_cast<std::uint32_t>(child);
      if (item.level == 1) {
        f(std::size_t{index});
      } else {
        stack[depth++] = {item.level - 1, index};
      }
    });
  }
}

}  // namespace impinge::solids
