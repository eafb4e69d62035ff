// The faces of a body in its place that a ray up an axis may meet.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bvh/tree/leaf.hpp"
#include "bvh/tree/placed_tree.hpp"

namespace impinge::solids {

// Boxes in a frame of the world, with all that rounding and the pose can do to them. Calls
// f(face) for at least the faces that have a point in the box from `low` to `high` or above it.
template <class F>
void for_each_face_above(const bvh::PlacedTree& body, const double* low, const double* high,
                         int axis, const F& f) {
  if (body.tree->empty()) return;
  const PlacedFrame placed = body.frame();
  const Bounds world = placed.world_bounds();
  double lower[3], upper[3];
  for (int k = 0; k < 3; ++k) {
    if (low[k] > world.hi[k] || (k != axis && high[k] < world.lo[k])) return;
    // what is beyond the box may as well be on its side
    lower[k] = std::max(low[k], world.lo[k]);
    upper[k] = k == axis ? world.hi[k] : std::min(high[k], world.hi[k]);
  }
  const Frame frame = frame_of(world);
  const FrameMap map({frame, world, Pose()}, placed);
  const Point4 from = in_frame(frame, lower), to = in_frame(frame, upper);
  const Box8 column = broadcast({{from.x, from.y, from.z}, {to.x, to.y, to.z}});
  const auto met = [&](const Box8& own) { return overlapping(map.boxes(own), column); };
  const bvh::Tree& tree = *body.tree;
  struct Item {
    std::int32_t level;
    std::uint32_t index;
  };
  constexpr int kMostLevels = 12;
  Item stack[kMostLevels * kLanes];
  int depth = 0;
  stack[depth++] = {tree.boxes().top(), 0};
  while (depth > 0) {
    const Item item = stack[--depth];
    const unsigned children = met(load_boxes(tree.boxes().node(item.level, item.index))) &
                              tree.boxes().children(item.level, item.index);
    for_each_bit(children, [&](int child) {
      const std::uint32_t index = item.index * kLanes + static_cast<std::uint32_t>(child);
      if (item.level > 1) {
        stack[depth++] = {item.level - 1, index};
        return;
      }
      const unsigned lanes = met(bvh::triangle_boxes(tree.leaf(index))) & tree.lanes(index);
      for_each_bit(lanes, [&](int lane) {
        f(tree.face_of(index * kLanes + static_cast<std::uint32_t>(lane)));
      });
    });
  }
}

}  // namespace impinge::solids
