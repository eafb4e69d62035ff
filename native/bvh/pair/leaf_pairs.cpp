#include "bvh/pair/leaf_pairs.hpp"

#include <algorithm>

namespace impinge::bvh {
namespace {

// Lanes of b that have a corner in common with one lane of a.
unsigned sharing(const Corners8& a, int row, const Corners8& b) {
  return impinge::sharing({Int8(a.id[0][row]), Int8(a.id[1][row]), Int8(a.id[2][row])},
                          {Int8::load(b.id[0]), Int8::load(b.id[1]), Int8::load(b.id[2])});
}

// Leaves of b in a's frame; neighbours in the front share them.
struct MovedLeaf {
  Leaf leaf;
  Box8 boxes;
  Box hull;
  Slab slab;
  std::uint32_t index = ~0u;
};

// Whether the boxes of two triangles overlap once one of them is inflated.
bool near(const Leaf& a, std::uint32_t i, const Leaf& b, std::uint32_t j, float margin) {
  for (int k = 0; k < 3; ++k) {
    const auto [low_a, high_a] = std::minmax({a.v[k][i], a.v[3 + k][i], a.v[6 + k][i]});
    const auto [low_b, high_b] = std::minmax({b.v[k][j], b.v[3 + k][j], b.v[6 + k][j]});
    if (low_a > high_b + margin || low_b - margin > high_a) return false;
  }
  return true;
}

constexpr int kMovedLeaves = 32;
constexpr int kPrefetchAhead = 4;

}  // namespace

void LeafPairs::judge(const Item* items, std::size_t n) {
  if (job_.self) {
    collect_self(items, n);
  } else {
    collect_pairs(items, n);
  }
  judge_.drain();
}

// Triangles with a common corner are left to the stars.
void LeafPairs::collect_self(const Item* items, std::size_t n) {
  const Tree& tree = *job_.a.tree;
  const float margin = self_margin(job_, error_, reach_);
  std::uint32_t loaded = ~0u;
  const Leaf* a = nullptr;
  Box8 rows{};
  Node row{};
  for (std::size_t s = 0; s < n; ++s) {
    const Item item = items[s];
    if (s + kPrefetchAhead < n) tree.prefetch_leaf(items[s + kPrefetchAhead].b);
    const Leaf& b = tree.leaf(item.b);
    if (item.a != loaded) {
      loaded = item.a;
      a = &tree.leaf(item.a);
      rows = inflate(triangle_boxes(*a), margin);
      row = spill(rows);
    }
    const Box8 columns = triangle_boxes(b);
    const unsigned live_a = overlapping(rows, broadcast(hull(columns))) & tree.lanes(item.a);
    if (!live_a) continue;
    const unsigned live_b = tree.lanes(item.b);
    LanePairs pairs;
    for_each_bit(live_a, [&](int r) {
      unsigned m = overlapping(broadcast(lane(row, r)), columns) & live_b;
      if (item.a == item.b) m &= ~0u << (r + 1);
      if (m) m &= ~sharing(tree.corners(item.a), r, tree.corners(item.b));
      pairs.add(r, m);
    });
    if (pairs.size) enqueue(*a, b, item, pairs);
  }
}

void LeafPairs::collect_pairs(const Item* items, std::size_t n) {
  const Tree& tree_a = *job_.a.tree;
  const Tree& tree_b = *job_.b.tree;
  const float margin = 2 * error_ + reach_;
  const bool slabs = map_->has_slabs({1, 1});
  MovedLeaf moved[kMovedLeaves];
  std::uint32_t loaded = ~0u;
  const Leaf* a = nullptr;
  Box8 rows{};
  Slab slab{};
  Node row{};
  for (std::size_t s = 0; s < n; ++s) {
    const Item item = items[s];
    if (s + kPrefetchAhead < n) {
      if (items[s + kPrefetchAhead].a != item.a) tree_a.prefetch_leaf(items[s + kPrefetchAhead].a);
      tree_b.prefetch_leaf(items[s + kPrefetchAhead].b);
    }
    MovedLeaf& b = moved[item.b % kMovedLeaves];
    if (b.index != item.b) {
      b.index = item.b;
      move_leaf(map_->to_a, tree_b.leaf(item.b), b.leaf);
      b.boxes = inflate(triangle_boxes(b.leaf), margin);
      b.hull = hull(b.boxes);
      if (slabs) b.slab = map_->slabs_b->leaf_seen(item.b, map_->to_b);
    }
    if (item.a != loaded) {
      loaded = item.a;
      a = &tree_a.leaf(item.a);
      rows = triangle_boxes(*a);
      row = spill(rows);
      if (slabs) slab = map_->slabs_a->leaf(item.a, map_->to_a);
    }
    unsigned live_a = overlapping(rows, broadcast(b.hull)) & tree_a.lanes(item.a);
    if (!live_a) continue;
    unsigned live_b = tree_b.lanes(item.b);
    if (slabs) {
      live_a &= reaching(*a, b.slab);
      live_b &= reaching(b.leaf, slab);
      if (!live_b) continue;
    }
    LanePairs pairs;
    for_each_bit(live_a, [&](int r) {
      pairs.add(r, overlapping(broadcast(lane(row, r)), b.boxes) & live_b);
    });
    if (pairs.size) enqueue(*a, b.leaf, item, pairs);
  }
}

void LeafPairs::judge_triangles(std::span<const Item> slots) {
  const float margin = job_.self ? self_margin(job_, error_, reach_) : 2 * error_ + reach_;
  Leaf moved;
  const Leaf* b = nullptr;
  std::uint32_t loaded = ~0u;
  for (const Item& item : slots) {
    if (item.b / kLanes != loaded) {
      loaded = item.b / kLanes;
      b = &job_.b.tree->leaf(loaded);
      if (map_) {
        move_leaf(map_->to_a, *b, moved);
        b = &moved;
      }
    }
    const Leaf& a = job_.a.tree->leaf(item.a / kLanes);
    if (near(a, item.a % kLanes, *b, item.b % kLanes, margin)) enqueue(a, *b, item);
  }
  judge_.drain();
}

void LeafPairs::enqueue(const Leaf& a, const Leaf& b, Item slots) {
  for (int k = 0; k < 9; ++k) {
    batch_.a[k][batch_.size] = a.v[k][slots.a % kLanes];
    batch_.b[k][batch_.size] = b.v[k][slots.b % kLanes];
  }
  batch_.slot_a[batch_.size] = slots.a;
  batch_.slot_b[batch_.size] = slots.b;
  if (++batch_.size; batch_.is_full()) judge_.drain();
}

void LeafPairs::enqueue(const Leaf& a, const Leaf& b, Item item, LanePairs& pairs) {
  pairs.close();
  job_.a.tree->prefetch_faces(item.a);
  job_.b.tree->prefetch_faces(item.b);
  const Int8 slot_a(static_cast<std::int32_t>(item.a * kLanes));
  const Int8 slot_b(static_cast<std::int32_t>(item.b * kLanes));
  for (int first = 0; first < pairs.size; first += kLanes) {
    const int at = batch_.size + first;
    const Picker8 rows(pairs.at + first, 3), columns(pairs.at + first, 0);
    for (int k = 0; k < 9; ++k) {
      rows(a.v[k]).storeu(batch_.a[k] + at);
      columns(b.v[k]).storeu(batch_.b[k] + at);
    }
    (slot_a + rows.lanes()).storeu(batch_.slot_a + at);
    (slot_b + columns.lanes()).storeu(batch_.slot_b + at);
  }
  batch_.size += pairs.size;
  if (batch_.is_full()) judge_.drain();
}

}  // namespace impinge::bvh
