// Vectors of wide integers.
#pragma once

#include <algorithm>

#include "geometry/wide_integer.hpp"

namespace impinge::solids {

using WideVector = WideInteger[3];

// Lowers an exponent to that of the last bit of each coordinate of a point.
inline void lower_exponent(const double* point, int& exponent) {
  for (int k = 0; k < 3; ++k) {
    if (point[k] != 0) exponent = std::min(exponent, unit_exponent(point[k]));
  }
}

inline void wide_difference(const double* from, const double* to, int exponent, WideVector& v) {
  for (int k = 0; k < 3; ++k) {
    v[k] = wide_integer(to[k], exponent) - wide_integer(from[k], exponent);
  }
}

// Of u x v.
inline WideInteger component(const WideVector& u, const WideVector& v, int k) {
  const int x = k == 2 ? 0 : k + 1, y = k == 0 ? 2 : k - 1;
  return u[x] * v[y] - u[y] * v[x];
}

inline WideInteger dot(const WideVector& u, const WideVector& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

inline WideInteger determinant(const WideVector& u, const WideVector& v, const WideVector& w) {
  const WideVector n = {component(v, w, 0), component(v, w, 1), component(v, w, 2)};
  return dot(u, n);
}

}  // namespace impinge::solids
