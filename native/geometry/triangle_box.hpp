// The box of one triangle.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"

namespace impinge {

struct TriangleBox {
  double low[3], high[3];

  explicit TriangleBox(const Triangle& t) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min({t[0][k], t[1][k], t[2][k]});
      high[k] = std::max({t[0][k], t[1][k], t[2][k]});
    }
  }
  // All within a distance of it, rounded outward.
  void grow(double by) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::nextafter(low[k] - by, -INFINITY);
      high[k] = std::nextafter(high[k] + by, INFINITY);
    }
  }
  bool meets(const TriangleBox& other) const {
    for (int k = 0; k < 3; ++k) {
      if (low[k] > other.high[k] || other.low[k] > high[k]) return false;
    }
    return true;
  }
};

}  // namespace impinge
