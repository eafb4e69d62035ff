#include "bvh/distance/leaf_distance.hpp"

#include <algorithm>
#include <limits>

namespace impinge::bvh {
namespace {

// Better lines between two triangles that are tried before their distance is computed.
constexpr int kTurns = 3;

// How far the triangles of a reach along a direction, and from where on those of b begin, less the
// cut: what begins beyond the reach is farther than the best pair.
struct Ends {
  Float8 most_a, least_b;

  Ends(const Leaf& a, const Leaf& own_b, const Direction& n)
      : most_a(TrianglesAlong(a, n.a).most()),
        least_b(TrianglesAlong(own_b, n.b).least() + Float8(n.start)) {}
  bool parts_all() const { return lowest(least_b) > highest(most_a); }
};

}  // namespace

void probe_leaves(const Bodies& bodies, Item leaves, BestPair& best) {
  const Tree &tree_a = *bodies.a.tree, &tree_b = *bodies.b.tree;
  Leaf b;
  move_leaf(bodies.relative, tree_b.leaf(leaves.b), b);
  float lowest_bound = std::numeric_limits<float>::infinity();
  int row = 0, column = 0;
  // Lanes without a triangle are the last and repeat the one before: they are never less.
  for_each_bit(tree_a.lanes(leaves.a), [&](int r) {
    alignas(32) float bound[kLanes];
    between_triangles(tree_a.leaf(leaves.a), r, b).gaps().store(bound);
    const float* least = std::min_element(bound, bound + kLanes);
    if (*least >= lowest_bound) return;
    lowest_bound = *least;
    row = r;
    column = static_cast<int>(least - bound);
  });
  if (lowest_bound <= best.cuts().linear) best.try_lanes(leaves, row, column);
}

void compare_leaves(const Bodies& bodies, Item leaves, const Direction& known, BestPair& best) {
  if (best.never_first(leaves)) return;
  const Tree &tree_a = *bodies.a.tree, &tree_b = *bodies.b.tree;
  const Leaf &a = tree_a.leaf(leaves.a), &own_b = tree_b.leaf(leaves.b);
  const Ends along_known(a, own_b, known);
  if (along_known.parts_all()) return;
  const Direction own(tree_a.boxes().box(0, leaves.a), tree_b.boxes().box(0, leaves.b),
                      bodies.relative, best.far_cut());
  const Ends along_own(a, own_b, own);
  if (along_own.parts_all()) return;
  Leaf b;
  move_leaf(bodies.relative, own_b, b);
  alignas(32) float most_known[kLanes], most_own[kLanes];
  along_known.most_a.store(most_known);
  along_own.most_a.store(most_own);
  const GapLimits& cuts = best.cuts();
  const Node rows = spill(triangle_boxes(a));
  const Box8 boxes_b = inflate(triangle_boxes(b), cuts.margin);
  const unsigned live_b = tree_b.lanes(leaves.b);
  for_each_bit(tree_a.lanes(leaves.a), [&](int r) {
    const Mask8 along =
        (along_own.least_b <= Float8(most_own[r])) & (along_known.least_b <= Float8(most_known[r]));
    if (!(bits(along) & live_b)) return;
    const Mask8 boxes = squared_gaps(broadcast(lane(rows, r)), boxes_b) <= Float8(cuts.squared);
    if (!(bits(along & boxes) & live_b)) return;
    Between between = between_triangles(a, r, b);
    unsigned left = bits(along & boxes & (between.gaps() <= Float8(cuts.linear))) & live_b;
    for (int turn = 0; turn < kTurns && left; ++turn) {
      between.turn();
      left &= bits(between.gaps() <= Float8(cuts.linear));
    }
    for_each_bit(left, [&](int c) { best.try_lanes(leaves, r, c); });
  });
}

}  // namespace impinge::bvh
