// How far from a surface the points of a convex set can be.
//
// The distance from a triangle is convex, so that no point is farther than the farthest corner. The
// distance from the surface is at most that from any of its triangles, and so at most any mean of
// the distances from two of them, which is convex too: between two parallel walls the mean is the
// same everywhere, though each distance is not.
#pragma once

#include <algorithm>

#include "geometry/point_distance.hpp"

namespace impinge::depth {

// A convex function at some corners: the distance from a triangle, or the height under a plane.
struct CornerDistances {
  static constexpr int kMost = 24;
  double value[kMost];
  int count = 0;

  CornerDistances(const double (*corners)[3], int n, const Triangle& triangle) : count(n) {
    for (int i = 0; i < n; ++i) value[i] = point_distance(corners[i], triangle).value;
  }
  CornerDistances(const double (*corners)[3], int n, const double* at, const Vector& unit,
                  double more)
      : count(n) {
    for (int i = 0; i < n; ++i) value[i] = more - dot(unit, from_to(at, corners[i]));
  }
  int farthest() const { return static_cast<int>(std::max_element(value, value + count) - value); }
  double most() const { return value[farthest()]; }
};

inline double most_of_mean(const CornerDistances& a, const CornerDistances& b, double share) {
  double most = 0;
  for (int i = 0; i < a.count; ++i) {
    most = std::max(most, b.value[i] + share * (a.value[i] - b.value[i]));
  }
  return most;
}

// By the best mean. The greatest of linear functions of the share is least at an end, or where two
// of them meet.
inline double least_of_means(const CornerDistances& a, const CornerDistances& b) {
  double least = std::min(a.most(), b.most());
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < i; ++j) {
      const double rise = (a.value[i] - b.value[i]) - (a.value[j] - b.value[j]);
      const double share = (b.value[j] - b.value[i]) / rise;
      if (share > 0 && share < 1) least = std::min(least, most_of_mean(a, b, share));
    }
  }
  return least;
}

}  // namespace impinge::depth
