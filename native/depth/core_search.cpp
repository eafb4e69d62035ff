#include "depth/core_search.hpp"

#include <algorithm>
#include <cmath>

#include "depth/convex_bound.hpp"
#include "depth/slope.hpp"

namespace impinge::depth {
namespace {

constexpr std::size_t kMore = 64;
constexpr double kFarFromBoundary = 3;  // in radii of a cell

}  // namespace

void CoreSearch::run(const Bounds& bounds) {
  Cell root;
  root.upper = cap_;
  for (int k = 0; k < 3; ++k) {
    root.centre[k] = 0.5 * (bounds.lo[k] + bounds.hi[k]);
    root.half[k] = 0.5 * (bounds.hi[k] - bounds.lo[k]);
  }
  add(root);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    Cell cell = heap_.back();
    heap_.pop_back();
    if (bracket_.is_enough(cell.upper) || cells_ > most_cells()) {
      bracket_.leave(cell.upper);
      return;
    }
    const auto axis = std::max_element(cell.half, cell.half + 3) - cell.half;
    cell.half[axis] *= 0.5;
    cell.centre[axis] -= cell.half[axis];
    add(cell);
    cell.centre[axis] += 2 * cell.half[axis];
    add(cell);
  }
}

// Of a depth that is on the surfaces a few tell that it is.
std::size_t CoreSearch::most_cells() const {
  const Goal& goal = bracket_.goal();
  if (!bracket_.is_decided()) return Goal::kMostCells;
  const std::size_t few = 2 * goal.cells;
  return bracket_.lower() > at_first_ ? std::min(kMore * few, Goal::kMostCells) : few;
}

void CoreSearch::add(Cell cell) {
  ++cells_;
  const double radius = std::sqrt(cell.half[0] * cell.half[0] + cell.half[1] * cell.half[1] +
                                  cell.half[2] * cell.half[2]);
  Look looks[2];
  for (int i = 0; i < 2; ++i) {
    looks[i] = look(*to_[i], cell.centre);
    if (looks[i].distance < -radius) return;
  }
  if (looks[0].distance >= 0 && looks[1].distance >= 0) {
    bracket_.reach(std::max(looks[0].distance, looks[1].distance), cell.centre);
  }
  const double upper = std::max(upper_in(cell, looks, 0, radius), upper_in(cell, looks, 1, radius));
  cell.upper = std::min(cell.upper, upper);
  if (bracket_.is_enough(cell.upper)) {
    bracket_.leave(cell.upper);
    return;
  }
  heap_.push_back(cell);
  std::push_heap(heap_.begin(), heap_.end());
}

CoreSearch::Look CoreSearch::look(DistanceTo& to, const double* point) {
  Look found{to.find_signed(point), to.triangle(), {}};
  std::copy_n(to.nearest(), 3, found.nearest);
  return found;
}

// How far from the boundary of a solid a point of the cell can be that is as far as any around; 0
// when there is none.
double CoreSearch::upper_in(const Cell& cell, const Look (&looks)[2], int solid, double radius) {
  const Look &own = looks[solid], &others = looks[1 - solid];
  double upper = std::min(own.distance, on_surfaces_ + others.distance) + radius;
  if (bracket_.is_enough(upper)) return std::max(upper, 0.0);
  double corners[8][3];
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      corners[i][k] = cell.centre[k] + (i >> k & 1 ? cell.half[k] : -cell.half[k]);
    }
  }
  const CornerDistances first(corners, 8, own.triangle);
  upper = std::min(upper, first.most());
  if (bracket_.is_enough(upper)) return upper;
  DistanceTo &to = *to_[solid], &to_other = *to_[1 - solid];
  const CellView view{to.tree(), cell.centre, cell.half, std::abs(own.distance) + 2 * radius};
  // one that is near the boundary has faces all around
  if (own.distance > kFarFromBoundary * radius) {
    const Vector towards = from_to(cell.centre, own.nearest);
    if (is_before(view, scaled(towards, 1 / own.distance))) return 0;
  } else if (faces_one_way(view)) {
    return 0;
  }
  // beyond the corner that is farthest from it another face is closer
  to.find(corners[first.farthest()]);
  upper = std::min(upper, least_of_means(first, CornerDistances(corners, 8, to.triangle())));
  if (bracket_.is_enough(upper)) return upper;
  const Vector out = to_other.outward(others.triangle);
  const double reach = std::abs(others.distance) + 2 * radius;
  const double* at = others.triangle[0];
  if (dot(out, out) > 0 && is_wall({to_other.tree(), cell.centre, cell.half, reach}, at, out)) {
    const CornerDistances under(corners, 8, at, out, on_surfaces_);
    upper = std::min(upper, least_of_means(first, under));
  }
  return upper;
}

}  // namespace impinge::depth
