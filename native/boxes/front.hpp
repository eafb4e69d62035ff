// Fronts: lists of pairs of things whose boxes overlap. Expanding one replaces each pair by the
// overlapping pairs of their children.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "boxes/hierarchy.hpp"

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

// What a pair of nodes may become; a row is written whole.
constexpr std::size_t kRoomForChildren = kLanes * kLanes + kLanes;

// One child of a with some of b's.
inline Item* write_row(Item* to, Item parent, int row, unsigned columns) {
  const Int8 first(static_cast<std::int32_t>(parent.b * kLanes));
  store_pairs(parent.a * kLanes + row, first + Packer8(columns).lanes(),
              reinterpret_cast<std::uint32_t*>(to));
  return to + std::popcount(columns);
}

// A hierarchy against itself: pairs keep a <= b, and a thing is paired with itself unless
// skip(level, thing).
template <class Skip>
void expand_self(const Hierarchy& boxes, int level, float margin, const Skip& skip,
                 const Item* items, std::size_t n, Buffer<Item>& out) {
  std::uint32_t loaded = ~0u;  // neighbours in a front share node a
  Node a{};
  for (const Item* item = items; item < items + n; ++item) {
    if (item->a == item->b && skip(level, item->a)) continue;
    if (item->a != loaded) {
      loaded = item->a;
      a = spill(inflate(load_boxes(boxes.node(level, item->a)), margin));
    }
    const Box8 b = load_boxes(boxes.node(level, item->b));
    const unsigned b_children = boxes.children(level, item->b);
    // First all of a's children against the hull of b's.
    const unsigned rows =
        overlapping(load_boxes(a), broadcast(hull(b))) & boxes.children(level, item->a);
    Item* write = out.grow(kRoomForChildren);
    Item* const start = write;
    for_each_bit(rows, [&](int row) {
      unsigned columns = overlapping(broadcast(lane(a, row)), b) & b_children;
      if (item->a == item->b) columns &= ~0u << row;
      write = write_row(write, *item, row, columns);
    });
    out.advance(write - start);
  }
}

// The same without leaving anything out.
void expand_self(const Hierarchy& boxes, int level, float margin, const Item* items, std::size_t n,
                 Buffer<Item>& out);

// Two hierarchies in one frame.
void expand_pair(const Hierarchy& a, const Hierarchy& b, Levels levels, float margin,
                 const Item* items, std::size_t n, Buffer<Item>& out);

}  // namespace impinge
