#include "bvh/front.hpp"

#include <optional>

namespace impinge {
namespace {

// Children of node a against the eight boxes of b: first all of a's against their hull.
template <bool kSame>
void cross(const Node& a, unsigned a_children, const Box8& b, const Box& b_hull,
           unsigned b_children, Item parent, Buffer<Item>& out) {
  const unsigned rows = overlapping(load_boxes(a), broadcast(b_hull)) & a_children;
  Item* write = out.grow(kLanes * kLanes);
  Item* const start = write;
  for_each_bit(rows, [&](int row) {
    unsigned columns = overlapping(broadcast(lane(a, row)), b) & b_children;
    if (kSame) columns &= ~0u << row;
    for_each_bit(columns, [&](int column) {
      *write++ = {parent.a * kLanes + row, parent.b * kLanes + column};
    });
  });
  out.advance(write - start);
}

// Pairs of patches of two nodes that reach into each other's slabs.
class SlabTest {
 public:
  SlabTest(const Node& a, const SlabNode& slabs_a, const Node& b, const SlabNode& slabs_b,
           const Mutual& mutual)
      : patch_a_(load_patches(a, slabs_a)),
        patch_b_(load_patches(b, slabs_b)),
        slab_a_(turn(slabs_a, mutual.to_a)),
        slab_b_(turn(slabs_b, mutual.to_b)) {}

  unsigned columns(int row) const {
    return reaching(patch_b_, spread(slab_a_, row)) & reaching(spread(patch_a_, row), slab_b_);
  }

 private:
  const Patch8 patch_a_, patch_b_;
  const Slab8 slab_a_, slab_b_;
};

// The same for two trees, in both frames.
void cross_frames(const Node& a, unsigned a_children, const Node& b, unsigned b_children,
                  const Mutual& mutual, Levels levels, Item parent, Buffer<Item>& out) {
  const Box8 b_in_a = mutual.to_a.boxes(b);
  const unsigned rows = overlapping(load_boxes(a), broadcast(hull(b_in_a))) & a_children;
  if (!rows) return;
  const Box8 b_own = load_boxes(b);
  const Node a_in_b = spill(mutual.to_b.boxes(a));
  std::optional<SlabTest> slabs;
  if (mutual.has_slabs(levels)) {
    slabs.emplace(a, mutual.slabs_a->node(levels.a, parent.a), b,
                  mutual.slabs_b->node(levels.b, parent.b), mutual);
  }
  Item* write = out.grow(kLanes * kLanes);
  Item* const start = write;
  for_each_bit(rows, [&](int row) {
    unsigned columns = overlapping(broadcast(lane(a, row)), b_in_a) & b_children;
    if (columns) columns &= overlapping(broadcast(lane(a_in_b, row)), b_own);
    if (columns && slabs) columns &= slabs->columns(row);
    for_each_bit(columns, [&](int column) {
      *write++ = {parent.a * kLanes + row, parent.b * kLanes + column};
    });
  });
  out.advance(write - start);
}

void keep_columns(unsigned columns, Item parent, Buffer<Item>& out) {
  for_each_bit(columns, [&](int c) { out.push({parent.a, parent.b * kLanes + c}); });
}

void keep_rows(unsigned rows, Item parent, Buffer<Item>& out) {
  for_each_bit(rows, [&](int r) { out.push({parent.a * kLanes + r, parent.b}); });
}

}  // namespace

Mutual::Mutual(const Placed& a, const Placed& b)
    : to_a(a, b), to_b(b, a), slabs_a(a.tree->slabs()), slabs_b(b.tree->slabs()) {}

void expand_self(const Hierarchy& boxes, int level, float margin, const Item* items, std::size_t n,
                 Buffer<Item>& out) {
  std::uint32_t loaded = ~0u;
  Box8 b{};
  Box b_hull{};
  for (const Item* item = items; item < items + n; ++item) {
    if (item->b != loaded) {
      loaded = item->b;
      b = inflate(load_boxes(boxes.node(level, item->b)), margin);
      b_hull = hull(b);
    }
    const unsigned in_a = boxes.children(level, item->a), in_b = boxes.children(level, item->b);
    const Node& a = boxes.node(level, item->a);
    if (item->a == item->b) {
      cross<true>(a, in_a, b, b_hull, in_b, *item, out);
    } else {
      cross<false>(a, in_a, b, b_hull, in_b, *item, out);
    }
  }
}

void expand_pair(const Hierarchy& a, const Hierarchy& b, Levels levels, const Mutual& mutual,
                 const Item* items, std::size_t n, Buffer<Item>& out) {
  for (const Item* item = items; item < items + n; ++item) {
    if (levels.lowers_a() && levels.lowers_b()) {
      cross_frames(a.node(levels.a, item->a), a.children(levels.a, item->a),
                   b.node(levels.b, item->b), b.children(levels.b, item->b), mutual, levels, *item,
                   out);
    } else if (levels.lowers_a()) {
      const Box8 single = mutual.to_a.boxes(b.box(levels.b, item->b));
      keep_rows(overlapping(load_boxes(a.node(levels.a, item->a)), single) &
                    a.children(levels.a, item->a),
                *item, out);
    } else {
      const Box8 moved = mutual.to_a.boxes(b.node(levels.b, item->b));
      keep_columns(
          overlapping(broadcast(a.box(levels.a, item->a)), moved) & b.children(levels.b, item->b),
          *item, out);
    }
  }
}

}  // namespace impinge
