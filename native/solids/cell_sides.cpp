#include "solids/cell_sides.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"
#include "bvh/tree/leaf.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kLeafGrain = 64;
constexpr double kPointsEach = 4;  // of a cell, about
constexpr double kMostAcross = 512;
constexpr double kFlat = 1e-6;  // extents that are not divided
// Cells of so few a triangle are marked without a look at its plane.
constexpr int kFew = 8;
// So much of the work of one point is to mark a cell.
constexpr std::size_t kMarksEach = 8;
constexpr std::int8_t kUnknown = 3;

// The places of cells, corners and products in floats are wrong by less than this.
constexpr float kSlack = 4e-6f;

}  // namespace

CellSides::CellSides(const bvh::Tree& tree, Sense sense, int axis, std::size_t points, int workers)
    : tree_(tree), sense_(sense), axis_(axis) {
  if (tree.empty() || tree.face_count() > points) return;
  place(tree.bounds(), tree.frame(), points);
  if (mark(kMarksEach * points, workers)) {
    fill_rows();
  } else {
    cells_.clear();
  }
}

// About as many cells as there are points for, about as long as wide.
void CellSides::place(const Bounds& bounds, const Frame& frame, std::size_t points) {
  const Point4 lo = in_frame(frame, bounds.lo), hi = in_frame(frame, bounds.hi);
  const float low[3] = {lo.x, lo.y, lo.z}, high[3] = {hi.x, hi.y, hi.z};
  double extent[3], volume = 1;
  int axes = 0;
  for (int k = 0; k < 3; ++k) {
    extent[k] = double{high[k]} - double{low[k]};
    if (extent[k] < kFlat) continue;
    volume *= extent[k];
    ++axes;
  }
  const double wanted = std::max(1.0, static_cast<double>(points) / kPointsEach);
  const double size = axes ? std::pow(volume / wanted, 1.0 / axes) : 1;
  for (int k = 0; k < 3; ++k) {
    const bool flat = extent[k] < kFlat;
    const double count = flat ? 1 : std::clamp(std::ceil(extent[k] / size), 1.0, kMostAcross);
    count_[k] = static_cast<int>(count);
    low_[k] = low[k];
    size_[k] = static_cast<float>(extent[k] / count);
    per_unit_[k] = flat ? 0 : static_cast<float>(count / extent[k]);
  }
  cells_ = std::vector<std::atomic<std::int8_t>>(cell(count_[0], 0, 0));
  for (auto& one : cells_) one.store(kUnknown, std::memory_order_relaxed);
}

// False when there is more to mark than is allowed.
bool CellSides::mark(std::size_t most, int workers) {
  std::atomic<std::size_t> marked{0};
  parallel_for(workers, tree_.leaf_count(), kLeafGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e && marked.load(std::memory_order_relaxed) <= most; ++b) {
      marked.fetch_add(mark_leaf(b), std::memory_order_relaxed);
    }
  });
  return marked.load() <= most;
}

// All cells that its triangles may reach. Returns how many were looked at.
std::size_t CellSides::mark_leaf(std::size_t index_of_leaf) {
  const bvh::Leaf& leaf = tree_.leaf(index_of_leaf);
  std::size_t looked_at = 0;
  for_each_bit(tree_.lanes(index_of_leaf), [&](int lane) {
    float corner[3][3];
    int first[3], last[3];
    std::size_t cells = 1;
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) corner[c][k] = leaf.v[3 * c + k][lane];
      const auto [lo, hi] = std::minmax({corner[0][k], corner[1][k], corner[2][k]});
      first[k] = index(k, lo);
      last[k] = index(k, hi);
      cells *= static_cast<std::size_t>(last[k] - first[k] + 1);
    }
    mark_triangle(corner, first, last);
    looked_at += cells;
  });
  return looked_at;
}

// Of the cells from first to last those that the plane of the triangle passes. For a vector n of
// about the normal, n·x of a point x of the triangle is between those of its corners, and of a cell
// between those of the middle less and more what the cell reaches along n.
void CellSides::mark_triangle(const float (&corner)[3][3], const int (&first)[3],
                              const int (&last)[3]) {
  int cells = 1;
  for (int k = 0; k < 3; ++k) cells = std::min(cells, kFew) * (last[k] - first[k] + 1);
  float u[3], v[3], n[3] = {0, 0, 0}, largest = 0;
  for (int k = 0; k < 3; ++k) {
    u[k] = corner[1][k] - corner[0][k];
    v[k] = corner[2][k] - corner[0][k];
  }
  if (cells > kFew) {
    for (int k = 0; k < 3; ++k) {
      const int x = k == 2 ? 0 : k + 1, y = k == 0 ? 2 : k - 1;
      n[k] = u[x] * v[y] - u[y] * v[x];
      largest = std::max(largest, std::abs(n[k]));
    }
    for (float& x : n) x = largest > 0 ? x / largest : 0;
  }
  const auto along = [&](float x, float y, float z) { return n[0] * x + n[1] * y + n[2] * z; };
  float lowest = INFINITY, highest = -INFINITY, reach = kSlack;
  for (const auto& c : corner) {
    lowest = std::min(lowest, along(c[0], c[1], c[2]));
    highest = std::max(highest, along(c[0], c[1], c[2]));
  }
  for (int k = 0; k < 3; ++k) reach += std::abs(n[k]) * (0.5f * size_[k] + kSlack);
  const auto middle = [&](int k, int i) {
    return low_[k] + (static_cast<float>(i) + 0.5f) * size_[k];
  };
  for (int x = first[0]; x <= last[0]; ++x) {
    for (int y = first[1]; y <= last[1]; ++y) {
      for (int z = first[2]; z <= last[2]; ++z) {
        const float at = along(middle(0, x), middle(1, y), middle(2, z));
        if (at < lowest - reach || at > highest + reach) continue;
        cells_[cell(x, y, z)].store(kMixed, std::memory_order_relaxed);
      }
    }
  }
}

// Rows of cells along the axis; beside a row that is known no other has to be asked about.
void CellSides::fill_rows() {
  const Axes axes(axis_);
  int at[3];
  const auto here = [&]() -> std::atomic<std::int8_t>& {
    return cells_[cell(at[0], at[1], at[2])];
  };
  int &x = at[axes.along], &y = at[axes.across[0]], &z = at[axes.across[1]];
  const int end = count_[axes.along];
  for (y = 0; y < count_[axes.across[0]]; ++y) {
    for (z = 0; z < count_[axes.across[1]]; ++z) {
      for (int begin = 0; begin < end;) {
        std::int8_t side = kUnknown;
        for (x = begin; x < end && here().load() != kMixed; ++x) {
          if (side == kUnknown) side = neighbour(at);
        }
        const int behind = x;
        if (side == kUnknown && behind > begin) {
          x = (begin + behind) / 2;
          side = side_at(at);
        }
        for (x = begin; x < behind; ++x) here().store(side, std::memory_order_relaxed);
        begin = behind + 1;
      }
    }
  }
}

// What is known of the cells that come before this one across the axis; kUnknown when nothing is.
std::int8_t CellSides::neighbour(const int (&at)[3]) const {
  for (const int k : Axes(axis_).across) {
    if (at[k] == 0) continue;
    int there[3] = {at[0], at[1], at[2]};
    --there[k];
    const std::int8_t side =
        cells_[cell(there[0], there[1], there[2])].load(std::memory_order_relaxed);
    if (side != kMixed) return side;
  }
  return kUnknown;
}

// Of a cell without triangles; kMixed when its middle is rounded into another cell.
std::int8_t CellSides::side_at(const int (&at)[3]) const {
  const Frame& frame = tree_.frame();
  double middle[3];
  for (int k = 0; k < 3; ++k) {
    const double place = double{low_[k]} + (at[k] + 0.5) * double{size_[k]};
    middle[k] = frame.centre[k] + place / frame.scale;
  }
  const Point4 p = in_frame(frame, middle);
  if (index(0, p.x) != at[0] || index(1, p.y) != at[1] || index(2, p.z) != at[2]) return kMixed;
  return static_cast<std::int8_t>(side_of(tree_, middle, sense_, axis_));
}

}  // namespace impinge::solids
