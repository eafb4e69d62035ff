// On which side of the other's plane the vertices of two triangles lie.
#pragma once

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"

namespace impinge {

struct Sides {
  int a[3];    // of the vertices of the first triangle to the plane of the second
  int b[3];    // and the reverse
  bool apart;  // one triangle lies strictly on one side of the other
  bool flat;   // one of the triangles has no area, or both lie in one plane

  // `b` is not filled when `a` alone decides.
  Sides(const Triangle& first, const Triangle& second) {
    apart = fill(second, first, a);
    flat = all_zero(a);
    if (apart || flat) return;
    apart = fill(first, second, b);
    flat = all_zero(b);
  }

  bool crossing() const { return both_sides(a) && both_sides(b); }

 private:
  static bool fill(const Triangle& face, const Triangle& t, int (&side)[3]) {
    const Plane plane(face[0], face[1], face[2]);
    for (int i = 0; i < 3; ++i) side[i] = plane.side(t[i]);
    return side[0] != 0 && side[0] == side[1] && side[0] == side[2];
  }
  static bool all_zero(const int (&s)[3]) { return (s[0] | s[1] | s[2]) == 0; }
  static bool both_sides(const int (&s)[3]) {
    return (s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0);
  }
};

}  // namespace impinge
