// The extreme points of a triangle: three, or two when it is a segment, or one.
#pragma once

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"

namespace impinge {

struct Hull {
  const double* point[3];
  int size;
};

inline bool collinear(const double* a, const double* b, const double* c) {
  return orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0 && orient2d(a, b, c, 2) == 0;
}

// A segment's ends come in lexicographic order.
inline Hull hull(const Triangle& t) {
  if (!collinear(t[0], t[1], t[2])) return {{t[0], t[1], t[2]}, 3};
  const double *low = t[0], *high = t[0];
  for (int i = 1; i < 3; ++i) {
    if (before(t[i], low)) low = t[i];
    if (before(high, t[i])) high = t[i];
  }
  return {{low, high, high}, same_point(low, high) ? 1 : 2};
}

}  // namespace impinge
