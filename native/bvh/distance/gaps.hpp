// Lower bounds on the distance of boxes and triangles, eight at a time, in the frame of a.
//
// The gap between two sets along any unit vector is at most their distance, whatever the rounding
// of that vector; along the line between their middles it is nearly the distance of small
// triangles.
#pragma once

#include <cmath>
#include <limits>

#include "boxes/frame_map.hpp"
#include "bvh/tree/leaf.hpp"
#include "geometry/between.hpp"

namespace impinge::bvh {

// Roundings of a gap along a unit vector in float32, for coordinates up to one: up to six times
// sqrt(3) units of 2^-24 for each body and nine for what is added to b's; 20 in all, and 32 to be
// safe.
constexpr double kDotSlack = 0x1p-19;

// What gaps are compared with, and what boxes of b grow by.
struct GapLimits {
  float squared = 0, linear = 0;  // for squares of gaps and for gaps in float32
  float margin = 0;
};

// Squares of the distances of eight pairs of boxes.
inline Float8 squared_gaps(const Box8& a, const Box8& b) {
  Float8 sum(0.0f);
  for (int k = 0; k < 3; ++k) {
    const Float8 gap = max(max(a.lo[k] - b.hi[k], b.lo[k] - a.hi[k]), Float8(0.0f));
    sum = mul_add(gap, gap, sum);
  }
  return sum;
}

// A direction from a to b, for coordinates of each in its own frame. What is far apart costs no
// precision: the large numbers meet in float64, and only their difference becomes a float.
struct Direction {
  float a[3]{}, b[3]{};
  float start = -std::numeric_limits<float>::infinity();  // b lies beyond the cut where `start` and
                                                          // b's least value exceed a's most

  Direction() = default;
  // From the middle of one box to that of another. Any direction gives a valid bound.
  Direction(const Box& from, const Box& to, const FrameMap& relative, double cut) {
    double d[3];
    for (int k = 0; k < 3; ++k) {
      d[k] = relative.shift[k] - 0.5 * (double{from.lo[k]} + from.hi[k]);
      for (int i = 0; i < 3; ++i) {
        d[k] += relative.matrix[k][i] * (0.5 * (double{to.lo[i]} + to.hi[i]));
      }
    }
    aim(d, relative, cut);
  }
  // Along d, given in the frame of a.
  Direction(const double (&d)[3], const FrameMap& relative, double cut) { aim(d, relative, cut); }

 private:
  void aim(const double (&d)[3], const FrameMap& relative, double cut) {
    // Nothing to compare with, or nothing known: no bound.
    if (!std::isfinite(cut + relative.own_error)) return;
    const double length2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    // Too short to be normalised: along zero every gap is zero, which is a bound too.
    const double inverse = length2 > kShortest2 ? 1 / std::sqrt(length2) : 0.0;
    for (int k = 0; k < 3; ++k) a[k] = static_cast<float>(d[k] * inverse);
    double norm2 = 0, offset = 0;
    for (int k = 0; k < 3; ++k) {
      norm2 += double{a[k]} * a[k];
      offset += a[k] * relative.shift[k];
      b[k] = static_cast<float>(a[0] * relative.matrix[0][k] + a[1] * relative.matrix[1][k] +
                                a[2] * relative.matrix[2][k]);
    }
    const double slack = 2 * relative.own_error + kDotSlack * (1 + relative.widening);
    // The norm is at most the mean of its square and one.
    start = static_cast<float>(offset - 0.5 * (1 + norm2) * cut * (1 + 1e-15) - slack);
  }
};

// How far eight boxes reach along a direction.
struct BoxesAlong {
  Float8 middle{0.0f}, half{0.0f};

  BoxesAlong(const Box8& boxes, const float (&n)[3]) {
    for (int k = 0; k < 3; ++k) {
      const Float8 along(0.5f * n[k]);
      middle = mul_add(along, boxes.hi[k] + boxes.lo[k], middle);
      half = mul_add(abs(along), boxes.hi[k] - boxes.lo[k], half);
    }
  }
  Float8 least() const { return middle - half; }
  Float8 most() const { return middle + half; }
};

// One triangle of a and eight of b.
inline Between between_triangles(const Leaf& a, int r, const Leaf& b) {
  return {[&](int i) { return Float8(a.v[i][r]); }, [&](int i) { return Float8::load(b.v[i]); }};
}

}  // namespace impinge::bvh
