#include "motion/linear/candidates.hpp"

#include <bit>

namespace impinge::motion {
namespace {

// The corners of eight features.
template <int kCorners>
struct Corners {
  const typename SweptFeatures<kCorners>::Ids& ids;

  explicit Corners(const typename SweptFeatures<kCorners>::Ids& ids) : ids(ids) {}
  Int8 of(int c) const { return Int8::load(ids.of[c]); }
  // Lanes that have the vertex for a corner.
  unsigned equal(std::int32_t vertex) const {
    const Int8 wanted(vertex);
    Mask8 any = of(0) == wanted;
    for (int c = 1; c < kCorners; ++c) any = any | (of(c) == wanted);
    return bits(any);
  }
};

// One feature with those of some lanes.
template <int kFirst, int kCorners>
void put(const std::int32_t (&first)[kFirst], const Corners<kCorners>& corners, unsigned lanes,
         Candidates& out) {
  static_assert(kFirst + kCorners == 4);
  if (!lanes) return;
  const auto n = static_cast<std::size_t>(std::popcount(lanes));
  const Packer8 pack(lanes);
  for (int i = 0; i < 4; ++i) {
    const auto to = reinterpret_cast<std::uint32_t*>(out.ids[i].grow(2 * kLanes));
    if (i < kFirst) {
      Int8(first[i]).storeu(to);
    } else {
      pack(corners.of(i - kFirst)).storeu(to);
    }
    out.ids[i].advance(n);
  }
}

}  // namespace

void Encounter::begin(std::size_t enough) {
  Buffer<Item> next;
  front_.clear();
  levels_ = {a_.boxes().top(), b_.boxes().top()};
  if (a_.boxes().items() == 0 || b_.boxes().items() == 0) return;
  front_.push({0, 0});
  while (!levels_.done() && front_.size() < enough) {
    next.clear();
    expand(levels_, front_.data(), front_.size(), next);
    front_.swap(next);
    levels_ = levels_.next();
  }
}

void Encounter::expand(Levels levels, const Item* items, std::size_t n, Buffer<Item>& out) const {
  if (is_self()) {
    expand_self(a_.boxes(), levels.a, margin_, items, n, out);
  } else {
    expand_pair(a_.boxes(), b_.boxes(), levels, margin_, items, n, out);
  }
}

// Of a leaf of one surface with one of the other.
void Encounter::vertices_with_faces(std::uint32_t vertices, std::uint32_t faces,
                                    Candidates& out) const {
  const SweptFeatures<1>& points = surface(out, 0).vertices();
  const SweptFeatures<3>& triangles = surface(out, 1).faces();
  const Corners<3> corners(triangles.ids[faces]);
  const Box8 grown = inflate(load_boxes(triangles.boxes[faces]), margin_);
  const Box whole = hull(grown);
  for (auto n = points.first[vertices]; n < points.first[vertices + 1]; ++n) {
    const Node& own = points.boxes[n];
    const unsigned rows = overlapping(load_boxes(own), broadcast(whole));
    for_each_bit(rows, [&](int row) {
      const std::int32_t v = points.ids[n].of[0][row];
      unsigned columns = overlapping(broadcast(lane(own, row)), grown);
      if (is_self()) columns &= ~corners.equal(v);
      const std::int32_t first[] = {v};
      put(first, corners, columns, out);
    });
  }
}

void Encounter::edges_with_edges(const Item& leaves, Candidates& out) const {
  const SweptFeatures<2>&a = a_.edges(), &b = b_.edges();
  const bool within = is_self() && leaves.a == leaves.b;
  for (auto m = a.first[leaves.a]; m < a.first[leaves.a + 1]; ++m) {
    const Node own = spill(inflate(load_boxes(a.boxes[m]), margin_));
    for (auto n = within ? m : b.first[leaves.b]; n < b.first[leaves.b + 1]; ++n) {
      const Box8 others = load_boxes(b.boxes[n]);
      const Corners<2> ends(b.ids[n]);
      const unsigned rows = overlapping(load_boxes(own), broadcast(hull(others)));
      for_each_bit(rows, [&](int row) {
        const std::int32_t first[] = {a.ids[m].of[0][row], a.ids[m].of[1][row]};
        unsigned columns = overlapping(broadcast(lane(own, row)), others);
        if (within && m == n) columns &= ~1u << row;
        if (is_self()) columns &= ~(ends.equal(first[0]) | ends.equal(first[1]));
        put(first, ends, columns, out);
      });
    }
  }
}

}  // namespace impinge::motion
