// Four points that move along straight lines, each at its own even speed: a vertex and the corners
// of a face, or the ends of two edges.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "geometry/vec.hpp"

namespace impinge::motion {

enum class FeaturePair : std::uint8_t { vertex_face, edge_edge };

// Where they are at the times 0 and 1, as they were given.
struct Ends {
  const double* at[2][4];
};

// The first so many points are one feature, the others the second.
inline int first_of(FeaturePair pair) { return pair == FeaturePair::vertex_face ? 1 : 2; }

// The same near the origin and of size one. The first point at time 0 is moved to the origin and
// everything is multiplied by a power of two, `scale`: a coordinate is then off by at most
// u = 2^-53, half an ulp of one, and nothing else was rounded.
struct Trajectories {
  double p[2][4][3];
  bool is_point = false;  // all points are one, at both times

  explicit Trajectories(const Ends& ends) {
    const double* origin = ends.at[0][0];
    double size = 0;
    for (int e = 0; e < 2; ++e) {
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) {
          p[e][i][k] = ends.at[e][i][k] - origin[k];
          size = std::max(size, std::abs(p[e][i][k]));
        }
      }
    }
    is_point = size == 0;
    if (is_point) return;
    std::frexp(size, &exponent_);
    // in two steps: for the smallest numbers one factor would be too large
    const int half = exponent_ / 2;
    const double first = std::ldexp(1.0, -half), second = std::ldexp(1.0, half - exponent_);
    for (auto& end : p) {
      for (auto& point : end) {
        for (double& x : point) x = x * first * second;
      }
    }
  }

  // A length of the world in these units.
  double inside(double length) const { return std::ldexp(length, -exponent_); }

  void at(double t, double (&points)[4][3]) const {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) points[i][k] = (1 - t) * p[0][i][k] + t * p[1][i][k];
    }
  }

 private:
  int exponent_ = 0;
};

}  // namespace impinge::motion
