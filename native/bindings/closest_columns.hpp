// The closest points of pairs as columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bindings/arrays.hpp"
#include "bvh/distance/distance.hpp"

namespace impinge {

// Infinite, NaN and -1 where nothing was found.
struct ClosestColumns {
  using Values = NewArray<double, -1>;
  using Points = NewArray<double, -1, 2, 3>;
  using FacePairs = NewArray<std::int32_t, -1, 2>;

  std::size_t n;
  Values values;
  Points points;
  FacePairs pairs;

  explicit ClosestColumns(const std::vector<bvh::Closest>& found)
      : n(found.size()), values(n), points(6 * n), pairs(2 * n) {
    for (std::size_t i = 0; i < n; ++i) {
      const bvh::Closest& closest = found[i];
      values.data[i] = closest.value;
      pairs.data[2 * i] = closest.face_a;
      pairs.data[2 * i + 1] = closest.face_b;
      if (closest.face_a < 0) {
        std::fill_n(&points.data[6 * i], 6, std::numeric_limits<double>::quiet_NaN());
      } else {
        std::copy_n(&closest.points[0][0], 6, &points.data[6 * i]);
      }
    }
  }
};

inline NewArray<std::int32_t, -1, 2> ids_of(const std::vector<BodyPair>& pairs) {
  NewArray<std::int32_t, -1, 2> ids(2 * pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ids.data[2 * i] = static_cast<std::int32_t>(pairs[i].a);
    ids.data[2 * i + 1] = static_cast<std::int32_t>(pairs[i].b);
  }
  return ids;
}

}  // namespace impinge
