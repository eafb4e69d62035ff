// The directions of k-DOPs, and the cones between them.
#pragma once

#include <cstdint>
#include <vector>

#include "simd/lanes.hpp"

namespace impinge::dop {

constexpr int kMostDirections = 26;
constexpr int kRoom = 4 * kLanes;  // lanes for all of them

// Half of the directions first, then their opposites: direction i + k/2 is -direction i. Lanes
// beyond k are zero. They are unit vectors rounded to float32, and these rounded vectors are the
// directions: nothing below depends on their length.
class Directions {
 public:
  // Null when there is no such set.
  static const Directions* of(int k);

  // Three neighbours on the hull of all directions. A vector u within their cone is the sum of
  // them with the coefficients `inverse` u, which are not negative.
  struct Facet {
    int at[3];
    double inverse[3][3];
  };

  int count() const { return k_; }
  int blocks() const { return (k_ + kLanes - 1) / kLanes; }
  int opposite(int i) const { return i < k_ / 2 ? i + k_ / 2 : i - k_ / 2; }
  double at(int i, int axis) const { return axis_[axis][i]; }
  const float* axis(int axis) const { return axis_[axis]; }
  const std::vector<Facet>& facets() const { return facets_; }

 private:
  explicit Directions(int k);

  int k_;
  alignas(32) float axis_[3][kRoom] = {};
  std::vector<Facet> facets_;
};

}  // namespace impinge::dop
