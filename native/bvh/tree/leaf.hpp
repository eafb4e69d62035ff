// Eight triangles in float32, lane by lane.
#pragma once

#include "base/lanes.hpp"
#include "boxes/frame_map.hpp"
#include "boxes/hierarchy.hpp"

namespace impinge::bvh {

struct alignas(32) Leaf {
  float v[9][kLanes];  // v[3 * corner + axis][lane]; lanes without a triangle repeat the last one
};

// Boxes of the eight triangles.
inline Box8 triangle_boxes(const Leaf& leaf) {
  Box8 b;
  for (int k = 0; k < 3; ++k) {
    const Float8 x = Float8::load(leaf.v[k]), y = Float8::load(leaf.v[3 + k]),
                 z = Float8::load(leaf.v[6 + k]);
    b.lo[k] = min(min(x, y), z);
    b.hi[k] = max(max(x, y), z);
  }
  return b;
}

// How far the corners of eight triangles reach along a direction.
struct TrianglesAlong {
  Float8 corner[3];

  TrianglesAlong(const Leaf& leaf, const float (&n)[3]) {
    for (int c = 0; c < 3; ++c) {
      corner[c] = mul_add(Float8(n[0]), Float8::load(leaf.v[3 * c]),
                          mul_add(Float8(n[1]), Float8::load(leaf.v[3 * c + 1]),
                                  Float8(n[2]) * Float8::load(leaf.v[3 * c + 2])));
    }
  }
  Float8 least() const { return min(min(corner[0], corner[1]), corner[2]); }
  Float8 most() const { return max(max(corner[0], corner[1]), corner[2]); }
};

// A leaf of b in the frame of a.
inline void move_leaf(const FrameMap& to_a, const Leaf& from, Leaf& to) {
  for (int c = 0; c < 9; c += 3) {
    map_points(to_a.matrix, to_a.shift, {from.v[c], from.v[c + 1], from.v[c + 2]},
               {to.v[c], to.v[c + 1], to.v[c + 2]});
  }
}

}  // namespace impinge::bvh
