// The sectors around a line that several faces have on them, whatever their winding numbers.
//
// With d the direction of the line and n the normal of a face that has it in its plane, the face is
// one of the half-planes in the directions s n x d, s = 1 or -1, or both. Going around against the
// clock, the half-plane with s is crossed in the direction s n: the winding number jumps by -s.
// n1 x d and n2 x d are apart by an angle below 180 degrees if det(d, n1, n2) > 0, and on one line
// if it is 0, with the same direction if n1 n2 > 0.
#pragma once

#include <array>
#include <vector>

#include "solids/exact_geometry.hpp"
#include "solids/piece_kinds.hpp"

namespace impinge::solids {

class AroundPlace {
 public:
  explicit AroundPlace(const ExactVector& line) : line_(line) {}

  // A half-plane of solid 0 or 1. Keeps the normal.
  void add(int solid, const ExactVector& normal, int sign);

  // Winding numbers of both solids in one sector, with jumps of both on the way to the next.
  struct Step {
    std::array<int, 2> before, jump;
  };
  // All of them, in order; `after_first` are the numbers just behind the first half-plane.
  std::vector<Step> steps(const std::array<int, 2>& after_first);

 private:
  struct HalfPlane {
    const ExactVector* normal;
    int sign, solid;
    int quarter;  // as in AroundLine
  };
  int quarter_of(const HalfPlane& plane) const;
  bool before(const HalfPlane& p, const HalfPlane& q) const;

  const ExactVector& line_;
  std::vector<HalfPlane> planes_;
};

}  // namespace impinge::solids
