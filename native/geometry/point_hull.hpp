// The box of some points of float64.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/gather.hpp"

namespace impinge {

struct PointHull {
  Double3 lo = Double3(INFINITY), hi = Double3(-INFINITY);

  void include(const PointHull& other) {
    lo = min(lo, other.lo);
    hi = max(hi, other.hi);
  }
  void include(const double* point) {
    const Double3 p = Double3::load(point);
    lo = min(lo, p);
    hi = max(hi, p);
  }
  template <int n>
  void include(const PointsInFrame& points, const std::int32_t (&index)[n]) {
    static_assert(n % 4 == 0);
    for (int i = 0; i < n; i += 4) {
      const Double3 a = points.at(index[i]), b = points.at(index[i + 1]),
                    c = points.at(index[i + 2]), d = points.at(index[i + 3]);
      lo = min(lo, min(min(a, b), min(c, d)));
      hi = max(hi, max(max(a, b), max(c, d)));
    }
  }
  Bounds bounds() const {
    Bounds b;
    lo.store(b.lo);
    hi.store(b.hi);
    return b;
  }
};

}  // namespace impinge
