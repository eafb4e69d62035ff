// Points in the frame of a tree, lane by lane.
#pragma once

#include <algorithm>

#include "bvh/tree/tree.hpp"

namespace impinge::solids {

class PointBlock {
 public:
  static constexpr int kMost = 512;

  explicit PointBlock(const Frame& frame) : frame_(frame) {}

  int size() const { return size_; }
  void clear() { size_ = 0; }
  // A point within the bounds of the tree.
  void add(const double* point) {
    const Point4 at = in_frame(frame_, point);
    at_[0][size_] = at.x;
    at_[1][size_] = at.y;
    at_[2][size_] = at.z;
    point_[size_++] = point;
  }
  // After the last: it fills the lanes that are left.
  void finish() {
    for (int i = size_; i % kLanes != 0; ++i) {
      for (auto& x : at_) x[i] = x[size_ - 1];
    }
  }

  const double* point(int i) const { return point_[i]; }
  const float* at(int axis) const { return at_[axis]; }

  // Of the points from `begin`, a multiple of eight, up to `end`, and maybe of some behind.
  Box bounds(int begin, int end) const {
    Box box;
    for (int k = 0; k < 3; ++k) {
      Float8 lo = Float8::load(at_[k] + begin), hi = lo;
      for (int i = begin + kLanes; i < end; i += kLanes) {
        lo = min(lo, Float8::load(at_[k] + i));
        hi = max(hi, Float8::load(at_[k] + i));
      }
      box.lo[k] = lowest(lo);
      box.hi[k] = highest(hi);
    }
    return box;
  }

 private:
  const Frame frame_;
  int size_ = 0;
  alignas(32) float at_[3][kMost];
  const double* point_[kMost];
};

}  // namespace impinge::solids
