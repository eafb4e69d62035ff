// Rays of one heading against the eight boxes of a node.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "boxes/hierarchy.hpp"
#include "bvh/ray/frame_ray.hpp"
#include "bvh/ray/raycast.hpp"

namespace impinge::bvh {

// Where a node has the sides of boxes that are passed first and last.
struct PassedSides {
  std::size_t near[3], far[3];

  // For directions with a bit for each negative component, that of x the highest.
  void set(unsigned negative) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t low = kLanes * k, high = low + 3 * kLanes;
      const bool back = negative >> (2 - k) & 1;
      near[k] = back ? high : low;
      far[k] = back ? low : high;
    }
  }
};

// `any` takes the first hit it comes by, so that its order must be the same on every machine.
template <RayMode kMode>
Float8 position(const Float8& x, const Float8& inverse, const Float8& shift) {
  return kMode == RayMode::any ? x * inverse - shift : mul_sub(x, inverse, shift);
}

struct NodeSides {
  Float8 near[3], far[3];

  NodeSides(const Node& node, const PassedSides& sides) {
    const float* rows = node.lo[0];
    for (int k = 0; k < 3; ++k) {
      near[k] = Float8::load(rows + sides.near[k]);
      far[k] = Float8::load(rows + sides.far[k]);
    }
  }

  // Where ray i enters and leaves the boxes.
  template <RayMode kMode>
  std::pair<Float8, Float8> passed(const FrameRays<kPacketRays>& r, int i) const {
    Float8 enter(r.begin[i]), leave(r.end[i]);
    for (int k = 0; k < 3; ++k) {
      const Float8 inverse(r.inverse[k][i]);
      enter = max(enter, position<kMode>(near[k], inverse, Float8(r.near_shift[k][i])));
      leave = min(leave, position<kMode>(far[k], inverse, Float8(r.far_shift[k][i])));
    }
    return {enter, leave};
  }

  Float8 sizes() const {
    return max(max(abs(far[0] - near[0]), abs(far[1] - near[1])), abs(far[2] - near[2]));
  }
};

// The rays of a packet that enter some children of a node: a bit for each child.
struct Entering {
  int ray;
  unsigned children;
};

// Calls f(item, child) for each bit of the children of n items, none of which is zero. One loop
// instead of two: how many children an item has is hard to foretell. Item n must be readable.
template <class Item, class F>
void for_each_child(const Item* items, int n, F f) {
  const Item* const end = items + n;
  for (unsigned children = items->children; items != end;) {
    f(*items, std::countr_zero(children));
    children &= children - 1;
    const std::int64_t over = -std::int64_t{children == 0};
    items -= over;
    children |= items->children & static_cast<unsigned>(over);
  }
}

}  // namespace impinge::bvh
