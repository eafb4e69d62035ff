// Descending two hierarchies level by level. A front is a list of pairs of things whose boxes
// overlap; expanding it replaces each pair by the overlapping pairs of their children.
#pragma once

#include <cstdint>

#include "bvh/buffer.hpp"
#include "bvh/hierarchy.hpp"
#include "bvh/placement.hpp"
#include "bvh/sheets.hpp"
#include "bvh/slabs.hpp"

namespace impinge {

struct Item {
  std::uint32_t a, b;
};

// Levels of the things in a front; {0, 0} is leaves against leaves.
struct Levels {
  int a, b;
  bool done() const { return a == 0 && b == 0; }
  // The taller side goes down first, so that both arrive together.
  bool lowers_a() const { return a >= b; }
  bool lowers_b() const { return b >= a; }
  Levels next() const { return {a - lowers_a(), b - lowers_b()}; }
};

// A hierarchy against itself: pairs keep a <= b, and a thing is paired with itself. Slabs do not
// help here: most pairs are neighbours on the surface, which nothing parts. What is clear is not
// paired with itself.
void expand_self(const Hierarchy& boxes, int level, float margin, const ClearSheets* clear,
                 const Item* items, std::size_t n, Buffer<Item>& out);

// How two trees stand to each other, both ways, and their slabs if both have them.
struct Mutual {
  Relative to_a, to_b;
  const Slabs *slabs_a, *slabs_b;

  Mutual(const Placed& a, const Placed& b);
  bool has_slabs(Levels levels) const {
    return slabs_a && slabs_b && slabs_a->has(levels.a) && slabs_b->has(levels.b);
  }
};

// Two hierarchies. Boxes must overlap in the frame of a and in that of b: turned against each
// other, boxes that overlap along the axes of one are often apart along those of the other. And
// patches must reach into each other's slabs.
void expand_pair(const Hierarchy& a, const Hierarchy& b, Levels levels, const Mutual& mutual,
                 const Item* items, std::size_t n, Buffer<Item>& out);

}  // namespace impinge
