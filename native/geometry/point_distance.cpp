#include "geometry/point_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/vertex_face.hpp"

namespace impinge {
namespace {

class Closest {
 public:
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
  const double* base_ = nullptr;
  Vector foot_{};
};

NearPoint near_features(const double* p, const Triangle& t) {
  const TriangleFeatures features(t);
  Closest closest;
  vertex_face(p, features, 0, closest);
  return closest.near_point();
}

NearPoint near_scaled(const double* p, const Triangle& t, int exponent) {
  const double q[3] = {std::ldexp(p[0], exponent), std::ldexp(p[1], exponent),
                       std::ldexp(p[2], exponent)};
  NearPoint near = near_features(q, times(t, exponent));
  near.value = std::ldexp(near.value, -exponent);
  for (double& x : near.point) x = std::ldexp(x, -exponent);
  return near;
}

}  // namespace

NearPoint point_distance(const double* p, const Triangle& t) {
  double extent = 0;
  for (int i = 0; i < 3; ++i) extent = std::max(extent, max_norm(from_to(p, t[i])));
  if (extent > kLeastExtent && extent < kMostExtent) return near_features(p, t);
  if (extent == 0) return {0, {p[0], p[1], p[2]}};
  // no coordinate must overflow, however small the differences are
  const double largest = std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2]), extent});
  return near_scaled(p, t, std::min(-std::ilogb(extent), 900 - std::ilogb(largest)));
}

}  // namespace impinge
