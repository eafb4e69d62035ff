#include "bvh/pair/tree_to_tree.hpp"

namespace impinge::bvh {
namespace {

// Children of nodes of two trees: slabs around the nodes, boxes in both frames, slabs. Neighbours
// in a front share node a.
class Crossing {
 public:
  Crossing(const Hierarchy& a, const Hierarchy& b, Levels levels, const TreeToTree& map)
      : a_(a),
        b_(b),
        levels_(levels),
        map_(map),
        with_slabs_(map.has_slabs(levels)),
        with_wholes_(map.has_slabs({levels.a + 1, levels.b + 1})) {}

  void expand(Item parent, Buffer<Item>& out) {
    if (parent.a != loaded_) load(parent.a);
    const Node& a = a_.node(levels_.a, parent.a);
    const Node& b = b_.node(levels_.b, parent.b);
    unsigned rows = children_, live = b_.children(levels_.b, parent.b);
    Patch8 patch{};
    Slab8 slab{};
    if (with_slabs_) {
      const SlabNode& slabs = map_.slabs_b->node(levels_.b, parent.b);
      patch = load_patches(b, slabs);
      if (with_wholes_) {
        rows &= reaching(patch_, map_.slabs_b->whole(levels_.b, parent.b, map_.to_b));
        live &= reaching(patch, whole_);
        if (!rows || !live) return;
      }
      slab = turn(slabs, map_.to_b);
    }
    const Box8 b_in_a = map_.to_a.boxes(b);
    rows &= overlapping(load_boxes(a), broadcast(hull(b_in_a)));
    const Box8 b_own = load_boxes(b);
    Item* write = out.grow(kRoomForChildren);
    Item* const start = write;
    for_each_bit(rows, [&](int row) {
      unsigned columns = overlapping(broadcast(lane(a, row)), b_in_a) & live;
      if (columns) columns &= overlapping(broadcast(lane(in_b_, row)), b_own);
      if (columns && with_slabs_) {
        columns &= reaching(patch, spread(slab_, row)) & reaching(spread(patch_, row), slab);
      }
      write = write_row(write, parent, row, columns);
    });
    out.advance(write - start);
  }

  // What will be read soon.
  void prefetch(Item next) const {
    if (next.a != loaded_) {
      impinge::prefetch(&a_.node(levels_.a, next.a), sizeof(Node));
      if (with_slabs_) {
        impinge::prefetch(&map_.slabs_a->node(levels_.a, next.a), sizeof(SlabNode));
      }
    }
    impinge::prefetch(&b_.node(levels_.b, next.b), sizeof(Node));
    if (with_slabs_) {
      impinge::prefetch(&map_.slabs_b->node(levels_.b, next.b), sizeof(SlabNode));
    }
  }

 private:
  void load(std::uint32_t i) {
    loaded_ = i;
    const Node& node = a_.node(levels_.a, i);
    children_ = a_.children(levels_.a, i);
    in_b_ = spill(map_.to_b.boxes(node));
    if (!with_slabs_) return;
    const SlabNode& slabs = map_.slabs_a->node(levels_.a, i);
    patch_ = load_patches(node, slabs);
    slab_ = turn(slabs, map_.to_a);
    if (with_wholes_) whole_ = map_.slabs_a->whole(levels_.a, i, map_.to_a);
  }

  const Hierarchy &a_, &b_;
  const Levels levels_;
  const TreeToTree& map_;
  const bool with_slabs_, with_wholes_;
  std::uint32_t loaded_ = ~0u;
  unsigned children_ = 0;
  Node in_b_{};
  Patch8 patch_{};
  Slab8 slab_{}, whole_{};  // of the children, and around node a itself
};

void keep_columns(unsigned columns, Item parent, Buffer<Item>& out) {
  for_each_bit(columns, [&](int c) { out.push({parent.a, parent.b * kLanes + c}); });
}

void keep_rows(unsigned rows, Item parent, Buffer<Item>& out) {
  for_each_bit(rows, [&](int r) { out.push({parent.a * kLanes + r, parent.b}); });
}

}  // namespace

void expand_pair(const Hierarchy& a, const Hierarchy& b, Levels levels, const TreeToTree& map,
                 const Item* items, std::size_t n, Buffer<Item>& out) {
  if (levels.lowers_a() && levels.lowers_b()) {
    Crossing crossing(a, b, levels, map);
    for (std::size_t i = 0; i < n; ++i) {
      if (i + 1 < n) crossing.prefetch(items[i + 1]);
      crossing.expand(items[i], out);
    }
    return;
  }
  for (const Item* item = items; item < items + n; ++item) {
    if (levels.lowers_a()) {
      const Box8 single = map.to_a.boxes(b.box(levels.b, item->b));
      keep_rows(overlapping(load_boxes(a.node(levels.a, item->a)), single) &
                    a.children(levels.a, item->a),
                *item, out);
    } else {
      const Box8 moved = map.to_a.boxes(b.node(levels.b, item->b));
      keep_columns(
          overlapping(broadcast(a.box(levels.a, item->a)), moved) & b.children(levels.b, item->b),
          *item, out);
    }
  }
}

}  // namespace impinge::bvh
