// The winding numbers of points that go through a tree together, each along its own ray up an axis.
//
// Most triangles are decided in floats, eight at a time. Coordinates are those of the frame of the
// tree, known with an error of e = kRounding; u = 2^-24. A point and a triangle of a leaf are
// within one box, of size s at most, so that differences of their coordinates are at most S = 1.01
// s and wrong by h = 2 e + u S. Then
//  - an edge function, the turn of two corners around the point, is a difference of two products
//  and
//    wrong by at most B = 4 S h + 2 h² + 4 u S²;
//  - the determinant that tells on which side of the plane the point is, the sum of the products of
//    three edge functions of at most 2 S² + B with differences of at most S, is wrong by at most
//    3 ((2 S² + B) h + (S + h) B) + 9 u (2 S² + B) S.
// Both are raised by one percent, far more than what rounds in them or is too small for a float. A
// sign that is not beyond its bound is asked of exact arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bvh/tree/leaf.hpp"
#include "bvh/tree/tree.hpp"
#include "solids/column.hpp"
#include "solids/point_block.hpp"

namespace impinge::solids {

// Belongs to one thread.
class WindingCounter {
 public:
  static constexpr int kMost = 32;  // a bit for each point in a mask

  WindingCounter(const bvh::Tree& tree, int axis) : tree_(tree), axes_(axis) {}

  // Of `count` points of a block, at most kMost, from `begin` on, a multiple of eight.
  void count(const PointBlock& points, int begin, int count);

  // A point on a face has no winding number.
  bool is_on_face(int i) const { return on_face_ >> i & 1; }
  int winding(int i) const { return winding_[i]; }

 private:
  struct LeafBounds {
    float turn, side;
  };

  void open(std::size_t leaf, const Box& box);
  void test(const bvh::Leaf& leaf, std::size_t index, const LeafBounds& bounds, int i, bool below);
  void test_exactly(std::size_t leaf, unsigned lanes, int i);

  const bvh::Tree& tree_;
  const Axes axes_;
  const PointBlock* points_ = nullptr;
  int begin_ = 0, count_ = 0;
  const float *across_[2], *along_;  // of the points
  int winding_[kMost];
  std::uint32_t on_face_ = 0;
};

}  // namespace impinge::solids
