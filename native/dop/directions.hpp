// The directions of k-DOPs, and the cones between them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/lanes.hpp"

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

  // Calls f(facet) for the facets that a ray along u may leave the hull through: those with the
  // largest normal[axis] u. More than one where facets lie in one plane, or meet.
  template <class F>
  void for_facets_along(const double (&u)[3], F f) const;

 private:
  explicit Directions(int k);

  int k_;
  alignas(32) float axis_[3][kRoom] = {};
  std::vector<Facet> facets_;
  std::vector<float> normal_[3];  // 1 in the plane of the facet; up to whole eights, the last zero
};

template <class F>
void Directions::for_facets_along(const double (&u)[3], F f) const {
  const Float8 x(static_cast<float>(u[0])), y(static_cast<float>(u[1])),
      z(static_cast<float>(u[2]));
  const auto reach = [&](std::size_t i) {
    return (x * Float8::loadu(normal_[0].data() + i) + y * Float8::loadu(normal_[1].data() + i)) +
           z * Float8::loadu(normal_[2].data() + i);
  };
  Float8 most = reach(0);
  for (std::size_t i = kLanes; i < normal_[0].size(); i += kLanes) most = max(most, reach(i));
  const Float8 enough(highest(most) * (1 - 1e-5f));
  for (std::size_t i = 0; i < normal_[0].size(); i += kLanes) {
    for_each_bit(bits(enough <= reach(i)), [&](int lane) {
      if (i + lane < facets_.size()) f(facets_[i + lane]);
    });
  }
}

}  // namespace impinge::dop
