// A ray against one triangle after Möller and Trumbore (1997), with a tolerance: rays through a
// common edge or vertex hit at least one of the triangles there.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"

namespace impinge {

// How far outside a triangle a hit may be, in barycentric coordinates.
constexpr double kEdgeTolerance = 1e-9;
// A triangle seen from its side, down to here, has no hit that could be computed.
constexpr double kGrazing = 1e-14;
// A hit is in the box of its triangle but for this share of the largest side of that box ...
constexpr double kBoxTolerance = 1e-8;
// ... and this share of the extent of the whole body, for what rounding does to long rays.
constexpr double kBodyTolerance = 1e-13;

// The points origin + t * direction with a direction of length one.
struct Beam {
  double origin[3];
  Vector direction;
};

struct Crossing {
  double t, u, v;  // at (1 - u - v) a + u b + v c
};

// Whether the hit is where it should be: beside a triangle that is very thin or seen from its side
// rounding can put it anywhere. Whoever looks for triangles in boxes wider than this misses none.
inline bool in_box(const Beam& beam, double t, const double* a, const double* b, const double* c,
                   double slack) {
  const double along[3] = {t * beam.direction.x, t * beam.direction.y, t * beam.direction.z};
  double lo[3], hi[3], size = 0;
  for (int k = 0; k < 3; ++k) {
    lo[k] = std::min({a[k], b[k], c[k]}) - beam.origin[k];
    hi[k] = std::max({a[k], b[k], c[k]}) - beam.origin[k];
    size = std::max(size, hi[k] - lo[k]);
  }
  const double pad = kBoxTolerance * size + slack;
  for (int k = 0; k < 3; ++k) {
    if (!(along[k] >= lo[k] - pad && along[k] <= hi[k] + pad)) return false;
  }
  return true;
}

// `slack` is kBodyTolerance times the extent of the body.
inline bool crosses(const Beam& beam, const double* a, const double* b, const double* c,
                    double slack, Crossing& at) {
  const Vector u = from_to(a, b), v = from_to(a, c), w = from_to(a, beam.origin);
  const Vector p = cross(beam.direction, v);
  const double determinant = dot(u, p), size = std::abs(determinant);
  const double sign = determinant < 0 ? -1.0 : 1.0;
  const double first = dot(w, p) * sign;
  if (first < -kEdgeTolerance * size || first > (1 + kEdgeTolerance) * size) return false;
  const Vector q = cross(w, u);
  const double second = dot(beam.direction, q) * sign;
  if (second < -kEdgeTolerance * size || first + second > (1 + kEdgeTolerance) * size) return false;
  if (!(size * size > kGrazing * kGrazing * dot(u, u) * dot(v, v))) return false;
  at = {dot(v, q) * sign / size, first / size, second / size};
  return in_box(beam, at.t, a, b, c, slack);
}

}  // namespace impinge
