// A ray along an axis, turned by so little that it meets no edge.
//
// Its direction is r = (1, e, e²) in the order axis, axis + 1, axis + 2, with an e that is positive
// and smaller than any number that matters. For an integer vector n the sign of r·n is then that of
// the first component of n, in this order, that is not zero; it is zero only for n = 0. So every
// sign below is that of one exact 2x2 or 3x3 determinant of the given coordinates.
#pragma once

#include "geometry/orient.hpp"

namespace impinge {

struct SkewRay {
  const double* from;
  int axis;

  // The axes in the order of their weight in the direction.
  int axis_at(int rank) const {
    const int k = axis + rank;
    return k < 3 ? k : k - 3;
  }

  // Sign of r·((a - from) x (b - from)): on which side of the edge a, b the ray passes. Zero if and
  // only if `from` is on the line through a and b, or a and b are equal.
  int turn(const double* a, const double* b) const {
    for (int rank = 0; rank < 3; ++rank) {
      if (const int sign = orient2d(a, b, from, axis_at(rank))) return sign;
    }
    return 0;
  }
};

}  // namespace impinge
