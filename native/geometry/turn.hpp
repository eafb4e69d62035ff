// How one direction turns into another, seen along an axis; each is given by two points.
#pragma once

#include <cmath>

#include "geometry/orient.hpp"

namespace impinge {

int turn_exact(double ux, double uy, double vx, double vy, double px, double py, double qx,
               double qy);

// Sign of component `axis` of (v - u) x (q - p). The same bounds as orient2d.
inline int turn(const double* u, const double* v, const double* p, const double* q, int axis) {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  const double left = (v[x] - u[x]) * (q[y] - p[y]), right = (v[y] - u[y]) * (q[x] - p[x]);
  const double value = left - right;
  const double bound =
      orient2d_relative_error * (std::abs(left) + std::abs(right)) + orient2d_absolute_error;
  if (value > bound) return 1;
  if (value < -bound) return -1;
  return turn_exact(u[x], u[y], v[x], v[y], p[x], p[y], q[x], q[y]);
}

}  // namespace impinge
