// A grid of cells, most of which are wholly inside or outside of a solid.
//
// The cell of a point follows from its float coordinates in the frame of the tree, along each axis
// by a function that never falls. So the points of a cell, or of a row of cells, are all points of
// a box, and a triangle has points only in the cells between those of its lowest and highest
// coordinates. Where none has, all points have one winding number.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/tree/tree.hpp"
#include "solids/column.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

class CellSides {
 public:
  static constexpr std::int8_t kMixed = 2;

  // For about so many points; nothing is known when finding out would take longer than to ask.
  CellSides(const bvh::Tree& tree, Sense sense, int axis, std::size_t points, int workers);

  bool empty() const { return cells_.empty(); }
  // The side of all points of the cell of a point within the bounds of the tree, or kMixed.
  std::int8_t operator()(const Point4& p) const {
    return cells_[cell(index(0, p.x), index(1, p.y), index(2, p.z))].load(
        std::memory_order_relaxed);
  }

 private:
  struct Work;

  void place(const Bounds& bounds, const Frame& frame, std::size_t points);
  bool mark(std::size_t most, int workers);
  std::size_t mark_leaf(std::size_t leaf);
  void mark_triangle(const float (&corner)[3][3], const int (&first)[3], const int (&last)[3]);
  void fill_rows();
  std::int8_t neighbour(const int (&at)[3]) const;
  std::int8_t side_at(const int (&at)[3]) const;

  int index(int axis, float x) const {
    const int i = static_cast<int>((x - low_[axis]) * per_unit_[axis]);
    return i < count_[axis] ? i : count_[axis] - 1;
  }
  std::size_t cell(int x, int y, int z) const {
    return (std::size_t(x) * std::size_t(count_[1]) + std::size_t(y)) * std::size_t(count_[2]) +
           std::size_t(z);
  }

  const bvh::Tree& tree_;
  const Sense sense_;
  const int axis_;
  float low_[3], per_unit_[3], size_[3];
  int count_[3];
  std::vector<std::atomic<std::int8_t>> cells_;
};

}  // namespace impinge::solids
