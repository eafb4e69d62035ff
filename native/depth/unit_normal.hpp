#pragma once

#include <cmath>

#include "geometry/vec.hpp"

namespace impinge::depth {

// Zero without area.
inline Vector unit_normal(const Triangle& t) {
  const Vector n = normal(t);
  const double length = std::sqrt(dot(n, n));
  return length > 0 ? scaled(n, 1 / length) : n;
}

}  // namespace impinge::depth
