// Two triangles whose planes cross in a line: each cuts an interval out of the line, and the ends
// of the intervals are compared by orientation signs alone (after Guigue and Devillers, 2003).
#pragma once

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"

namespace impinge {

// One end of an interval: where the edge apex-tip meets the other triangle's plane.
struct SectionEnd {
  const double* apex;
  const double* tip;
  int apex_side, tip_side;  // to the other plane; zero when that vertex is the end itself
};

// The interval of the line in direction normal(first) x normal(second) within one triangle.
struct Section {
  SectionEnd low, high;
  int descent;  // 1 when the edges leave the apex from the positive side, else -1

  bool is_point() const { return low.apex_side == 0; }
  bool is_edge() const { return low.tip_side == 0 && high.tip_side == 0; }
};

// `side`: sides of the triangle's vertices to the other plane, neither all zero nor all of one
// strict sign. The apex is the vertex alone on its side, or the one that touches.
// From u = tip - apex and u x (n1 x n2) = n1 (u.n2), the edges apex->next, apex->previous reach the
// line in the order of n1 x n2 in the first triangle when they descend, and against it in the
// second.
inline Section section(const Triangle& t, const int (&side)[3], bool first) {
  const int up = (side[0] > 0) + (side[1] > 0) + (side[2] > 0);
  const int down = (side[0] < 0) + (side[1] < 0) + (side[2] < 0);
  const int apex_side = up == 1 ? 1 : down == 1 ? -1 : 0;
  const int apex = side[0] == apex_side ? 0 : side[1] == apex_side ? 1 : 2;
  const int next = apex == 2 ? 0 : apex + 1, previous = apex == 0 ? 2 : apex - 1;
  const int descent = apex_side != 0 ? apex_side : (up == 2 ? -1 : 1);
  const SectionEnd a{t[apex], t[next], apex_side, side[next]};
  const SectionEnd b{t[apex], t[previous], apex_side, side[previous]};
  return (descent > 0) == first ? Section{a, b, descent} : Section{b, a, descent};
}

// Sign of y - x along the line, x an end in the first triangle and y one in the second: with edge
// directions u and w, orient3d of the two edges is -((y - x) along the line) (u.n2) (w.n1).
inline int order(const Section& first, const SectionEnd& x, const Section& second,
                 const SectionEnd& y) {
  return -first.descent * second.descent * orient3d(x.apex, x.tip, y.apex, y.tip);
}

}  // namespace impinge
