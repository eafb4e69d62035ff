// Two solids around a line that is on the boundary of one of them, or of both.
//
// A face that has a piece of the line on it is a half-plane there, or two. Going around the line
// against the clock, seen against its direction, the winding number of a solid jumps at each of its
// half-planes: by -1 where a face is left by its front, by 1 where it is entered.
#pragma once

#include <vector>

#include "solids/piece_kinds.hpp"

namespace impinge::solids {

class AroundLine {
 public:
  // A line through two points, in the direction from the first to the second.
  AroundLine(const double* from, const double* to);

  // The half-plane with this point in it, which is not on the line.
  void add(bool of_b, const double* point, int jump);

  // How the half-planes of each solid lie to the other, for solids with winding numbers 0 and 1
  // only, each with a half-plane that is not undone by others.
  PieceKinds kinds();

 private:
  struct HalfPlane {
    double at[3];
    int jump;
    bool of_b;
    int quarter;  // 0: that of the first one, 1: before its opposite, 2: its opposite, 3: behind
  };
  int quarter_of(const double* point) const;
  bool before(const HalfPlane& p, const HalfPlane& q) const;

  double from_[3], to_[3];
  std::vector<HalfPlane> planes_;
};

}  // namespace impinge::solids
