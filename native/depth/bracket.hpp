// How deep two solids overlap: the greatest distance, over their common points, from the boundary
// of one of them. It lies between what some point reaches and what none can exceed.
#pragma once

#include <algorithm>
#include <cstddef>

namespace impinge::depth {

struct Goal {
  double limit = 0;        // to know that it is not deeper is enough
  double accuracy = 1e-3;  // relative, of a greater depth
  // How many cells are looked at for it, once it is known to be greater and no cell adds to it.
  std::size_t cells = kMostCells;
  static constexpr std::size_t kMostCells = 20'000;
};

class Bracket {
 public:
  explicit Bracket(const Goal& goal) : goal_(goal) {}

  double lower() const { return lower_; }
  const double* point() const { return point_; }
  // Of all that was looked at and left.
  double upper() const { return std::max(lower_, left_); }

  // What is so much beside something flush need not be told from it.
  double spare() const { return 0.5 * goal_.limit; }
  // Whether nothing needs to be known of points that are at most so deep.
  bool is_enough(double upper) const { return upper <= most(1); }
  // Points that are no deeper are left out wherever they are.
  double shallow() const { return most(0.5); }
  // Whether it is known to be greater than the limit.
  bool is_decided() const { return lower_ > goal_.limit; }
  const Goal& goal() const { return goal_; }
  // A common point and its distance from a boundary.
  void reach(double distance, const double* point) {
    if (!(distance > lower_)) return;
    lower_ = distance;
    std::copy_n(point, 3, point_);
  }
  // Points that are not looked at any closer.
  void leave(double upper) { left_ = std::max(left_, upper); }
  // What was found by another search with the same goal.
  void unite(const Bracket& other) {
    reach(other.lower_, other.point_);
    leave(other.left_);
  }

 private:
  double most(double share) const {
    return std::max(goal_.limit, lower_ * (1 + share * goal_.accuracy));
  }

  const Goal goal_;
  double lower_ = 0, left_ = 0;
  double point_[3] = {};
};

}  // namespace impinge::depth
