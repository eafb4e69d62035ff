#include "geometry/point_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/vertex_face.hpp"

namespace impinge {
namespace {

class Closest {
 public:
  explicit Closest(const Triangle& t) : base_(t[0]) {}  // if nothing is closer than infinitely far
  bool beaten_by(double squared) const { return squared < squared_; }
  void take(double squared, int, const double*, const double* q, const Vector& foot) {
    squared_ = squared;
    base_ = q;
    foot_ = foot;
  }
  NearPoint near_point() const {
    NearPoint near;
    near.value = std::sqrt(squared_);
    shift(base_, foot_, near.point);
    return near;
  }

 private:
  double squared_ = std::numeric_limits<double>::infinity();
  const double* base_;
  Vector foot_{};
};

NearPoint near_features(const double* p, const Triangle& t) {
  const TriangleFeatures features(t);
  Closest closest(t);
  vertex_face(p, features, 0, closest);
  return closest.near_point();
}

// Differences near one: the point at zero, and the triangle times a power of two.
NearPoint near_scaled(const double* p, const Triangle& t, int exponent) {
  Triangle moved;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) moved.v[i][k] = std::ldexp(t[i][k] - p[k], exponent);
  }
  constexpr double kZero[3] = {0, 0, 0};
  NearPoint near = near_features(kZero, moved);
  near.value = std::ldexp(near.value, -exponent);
  for (int k = 0; k < 3; ++k) near.point[k] = p[k] + std::ldexp(near.point[k], -exponent);
  return near;
}

}  // namespace

NearPoint point_distance(const double* p, const Triangle& t) {
  double extent = 0;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) extent = std::max(extent, std::abs(t[i][k] - p[k]));
  }
  if (extent > kLeastExtent && extent < kMostExtent) return near_features(p, t);
  if (extent == 0) return {0, {p[0], p[1], p[2]}};
  return near_scaled(p, t, -std::ilogb(extent));
}

}  // namespace impinge
