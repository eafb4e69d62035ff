#include "contact_points/near_faces.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace impinge::contact_points {
namespace {

float upper(double x) {
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

// Boxes of the triangles of a leaf; lanes without a triangle repeat the last one.
Box8 boxes_of(const bvh::Leaf& leaf, float margin) { return inflate(triangle_boxes(leaf), margin); }

}  // namespace

NearFaces::NearFaces(const Skin& a, const Skin& b, bool self, double threshold)
    : a_(a.tree()), b_(b.tree()), self_(self) {
  const double in_a = threshold * a_.frame().scale, in_b = threshold * b_.frame().scale;
  if (self_) {
    margin_ = upper(1.01 * (in_a + 4 * kRounding));
    return;
  }
  // without slabs: they part what does not meet, not what is far enough
  map_.emplace(bvh::PlacedTree{&a_, Pose()}.frame(), bvh::PlacedTree{&b_, Pose()}.frame());
  margin_ = upper(1.01 * (in_a + 2 * static_cast<double>(map_->to_a.error)));
  map_->to_a.box_margin += upper(1.01 * in_a);
  map_->to_b.box_margin += upper(1.01 * in_b);
}

Buffer<Item> NearFaces::leaves() const {
  Buffer<Item> front, next;
  front.push({0, 0});
  Levels levels{a_.boxes().top(), b_.boxes().top()};
  while (!levels.done()) {
    next.clear();
    if (self_) {
      expand_self(a_.boxes(), levels.a, margin_, front.data(), front.size(), next);
    } else {
      expand_pair(a_.boxes(), b_.boxes(), levels, *map_, front.data(), front.size(), next);
    }
    front.swap(next);
    levels = levels.next();
  }
  return front;
}

void NearFaces::faces(const Item& item, std::vector<FacePair>& out) const {
  bvh::Leaf moved;
  if (!self_) move_leaf(map_->to_a, b_.leaf(item.b), moved);
  const Box8 a = boxes_of(a_.leaf(item.a), margin_);
  const Box8 b = bvh::triangle_boxes(self_ ? b_.leaf(item.b) : moved);
  const unsigned rows = overlapping(a, broadcast(hull(b))) & a_.lanes(item.a);
  for_each_bit(rows, [&](int row) {
    unsigned columns = overlapping(spread(a, row), b) & b_.lanes(item.b);
    if (self_ && item.a == item.b) columns &= ~1u << row;
    for_each_bit(columns, [&](int column) {
      FacePair pair{a_.face_of(std::size_t{item.a} * kLanes + static_cast<std::size_t>(row)),
                    b_.face_of(std::size_t{item.b} * kLanes + static_cast<std::size_t>(column))};
      if (self_ && pair.b < pair.a) std::swap(pair.a, pair.b);
      out.push_back(pair);
    });
  });
}

}  // namespace impinge::contact_points
