#include "depth/core_search.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"
#include "depth/convex_bound.hpp"
#include "depth/slope.hpp"
#include "depth/split.hpp"

namespace impinge::depth {
namespace {

constexpr std::size_t kMore = 64;
constexpr std::size_t kAtOnce = 16;  // cells that are halved side by side
constexpr double kHighest = 0.25;    // of a wall that is worth its search, in radii of a cell
constexpr double kNearBoundary = 3;  // in radii of a cell
constexpr double kSmallFace = 0.1;   // in radii of a cell
constexpr double kSurplus = 0.125;   // by which looks may be too far, in radii of a cell

double radius_of(const double (&half)[3]) {
  return std::sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
}

}  // namespace

void CoreSearch::run(const Bounds& bounds, int workers) {
  Cell root{};
  root.upper = cap_;
  for (int k = 0; k < 3; ++k) {
    root.centre[k] = 0.5 * (bounds.lo[k] + bounds.hi[k]);
    root.half[k] = 0.5 * (bounds.hi[k] - bounds.lo[k]);
  }
  std::vector<Finding> found = {{root}};
  while (!found.empty()) {
    parallel_for(workers, found.size(), 1, [&](std::size_t i, std::size_t end, int) {
      Eyes to{*to_[0], *to_[1]};
      for (; i < end; ++i) found[i] = look_at(found[i].cell, to);
    });
    cells_ += found.size();
    keep(found);
    take_best(found);
  }
}

// The halves of the cells that may have the deepest points; none when it is enough.
void CoreSearch::take_best(std::vector<Finding>& halves) {
  halves.clear();
  while (!heap_.empty() && halves.size() < 2 * kAtOnce) {
    std::pop_heap(heap_.begin(), heap_.end());
    Cell cell = heap_.back();
    heap_.pop_back();
    if (bracket_.is_enough(cell.upper) || cells_ > most_cells()) {
      // nothing else in the heap is more
      bracket_.leave(cell.upper);
      heap_.clear();
      return;
    }
    const auto axis = std::max_element(cell.half, cell.half + 3) - cell.half;
    cell.half[axis] *= 0.5;
    cell.centre[axis] -= cell.half[axis];
    halves.push_back({cell});
    cell.centre[axis] += 2 * cell.half[axis];
    halves.push_back({cell});
  }
}

// Of a depth that is on the surfaces a few tell that it is.
std::size_t CoreSearch::most_cells() const {
  const Goal& goal = bracket_.goal();
  if (!bracket_.is_decided()) return Goal::kMostCells;
  const std::size_t few = std::min(2 * goal.cells, Goal::kMostCells);
  return bracket_.lower() > at_first_ ? std::min(kMore * few, Goal::kMostCells) : few;
}

void CoreSearch::keep(const std::vector<Finding>& found) {
  for (const Finding& one : found) bracket_.reach(one.depth, one.centre);
  for (const Finding& one : found) {
    if (bracket_.is_enough(one.cell.upper)) {
      bracket_.leave(std::max(one.cell.upper, 0.0));
    } else {
      heap_.push_back(one.cell);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
}

CoreSearch::Finding CoreSearch::look_at(Cell cell, Eyes& to) const {
  const double radius = radius_of(cell.half);
  Look looks[2];
  for (int i = 0; i < 2; ++i) {
    to[i].start_at(cell.start[i]);
    const bool is_outside = to[i].is_outside(cell.centre);
    if (is_outside && to[i].find_about(cell.centre, kSurplus * radius) > (1 + kSurplus) * radius) {
      cell.upper = 0;
      return {cell};
    }
    const double distance = to[i].find(cell.centre);
    cell.start[i] = to[i].slot();
    looks[i] = {is_outside ? -distance : distance, to[i].triangle(), {}};
    std::copy_n(to[i].nearest(), 3, looks[i].nearest);
  }
  Finding found{cell};
  const double deep = std::max(looks[0].distance, looks[1].distance);
  if (looks[0].distance >= 0 && looks[1].distance >= 0 && deep > bracket_.lower()) {
    found.depth = deep;
    std::copy_n(cell.centre, 3, found.centre);
  }
  CellPart parts[2];
  double uppers[2];
  for (int i = 0; i < 2; ++i) {
    uppers[i] = rises_[i] ? 0 : upper_in(cell, looks, i, radius, to, parts[i]);
  }
  found.cell.upper = std::min(cell.upper, std::max(uppers[0], uppers[1]));
  if (!bracket_.is_enough(uppers[0]) && !bracket_.is_enough(uppers[1])) parts[0].unite(parts[1]);
  shrink(found.cell, parts[bracket_.is_enough(uppers[0]) ? 1 : 0]);
  return found;
}

void CoreSearch::shrink(Cell& cell, const CellPart& part) {
  for (int k = 0; k < 3; ++k) {
    cell.centre[k] += cell.half[k] * (part.lo[k] + part.hi[k] - 1);
    cell.half[k] *= part.hi[k] - part.lo[k];
  }
}

// How far from the boundary of a solid a point of the cell can be that is as far as any around; 0
// when there is none.
double CoreSearch::upper_in(const Cell& cell, const Look (&looks)[2], int solid, double radius,
                            Eyes& to, CellPart& part) const {
  const Look &own = looks[solid], &others = looks[1 - solid];
  double upper =
      std::min({cell.upper, own.distance + radius, on_surfaces_ + others.distance + radius});
  if (bracket_.is_enough(upper)) return std::max(upper, 0.0);
  double corners[8][3];
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      corners[i][k] = cell.centre[k] + (i >> k & 1 ? cell.half[k] : -cell.half[k]);
    }
  }
  const CornerDistances first(corners, 8, own.triangle);
  upper = std::min(upper, first.most());
  part.cut(first, bracket_.shallow());
  const auto is_done = [&] {
    if (part.is_empty()) upper = std::min(upper, bracket_.shallow());
    return bracket_.is_enough(upper);
  };
  if (is_done()) return upper;
  const double* at = others.triangle[0];
  const Vector out = to[1 - solid].outward(others.triangle);
  const double reach = std::abs(others.distance) + 2 * radius;
  const CellView view{to[1 - solid].tree(), cell.centre, cell.half, reach};
  const double height = wall_height(view, at, out, kHighest * radius, to[1 - solid]);
  if (std::isfinite(height)) {
    const CornerDistances under(corners, 8, at, out, on_surfaces_ + height);
    upper = std::min(upper, least_of_means(first, under));
    part.cut(under, bracket_.shallow());
    if (is_done()) return upper;
  }
  // beyond the corner that is farthest from it another face is closer
  to[solid].find(corners[first.farthest()]);
  const CornerDistances second(corners, 8, to[solid].triangle());
  upper = std::min(upper, least_of_means(first, second));
  part.cut(second, bracket_.shallow());
  if (is_done()) return upper;
  return rises(cell, part, own, upper, to[solid].tree()) ? 0 : upper;
}

// Whether the distance from a boundary has no greatest value in a part of a cell.
bool CoreSearch::rises(Cell cell, const CellPart& part, const Look& own, double upper,
                       const bvh::Tree& tree) {
  shrink(cell, part);
  const double radius = radius_of(cell.half);
  const CellView view{tree, cell.centre, cell.half, upper + radius};
  const Vector towards = from_to(cell.centre, own.nearest);
  const double distance = std::sqrt(dot(towards, towards));
  if (distance > radius && is_before(view, scaled(towards, 1 / distance))) return true;
  // one that is near the boundary has faces all around: few, if they are not much smaller
  return distance < kNearBoundary * radius && Disc(own.triangle).radius > kSmallFace * radius &&
         faces_one_way(view);
}

}  // namespace impinge::depth
