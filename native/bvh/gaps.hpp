// Lower bounds on the distance of boxes and triangles, eight at a time, in the frame of a.
//
// The gap between two sets along any unit vector is at most their distance, whatever the rounding
// of that vector; along the line between their middles it is nearly the distance of small
// triangles.
#pragma once

#include <cmath>
#include <limits>

#include "bvh/placement.hpp"

namespace impinge {

// Below it squares of lengths lose their precision to underflow.
constexpr float kShortest2 = 1e-30f;
// Of dot products with unit vectors in float32, for coordinates up to one: some 15 roundings, and
// twice that to be safe.
constexpr double kDotSlack = 2e-6;

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

  // From the middle of one box to that of another. Any direction gives a valid bound.
  Direction(const Box& from, const Box& to, const Relative& relative, double cut) {
    // Nothing to compare with, or nothing known: no bound.
    if (!std::isfinite(cut + relative.own_error)) return;
    double d[3], length2 = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = relative.shift[k] - 0.5 * (double{from.lo[k]} + from.hi[k]);
      for (int i = 0; i < 3; ++i) {
        d[k] += relative.matrix[k][i] * (0.5 * (double{to.lo[i]} + to.hi[i]));
      }
      length2 += d[k] * d[k];
    }
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

// How far the corners of eight triangles reach along a direction.
struct Along {
  Float8 corner[3];

  Along(const Leaf& leaf, const float (&n)[3]) {
    for (int c = 0; c < 3; ++c) {
      corner[c] = mul_add(Float8(n[0]), Float8::load(leaf.v[3 * c]),
                          mul_add(Float8(n[1]), Float8::load(leaf.v[3 * c + 1]),
                                  Float8(n[2]) * Float8::load(leaf.v[3 * c + 2])));
    }
  }
  Float8 least() const { return min(min(corner[0], corner[1]), corner[2]); }
  Float8 most() const { return max(max(corner[0], corner[1]), corner[2]); }
};

// The same for eight boxes: middle and half size along a direction.
struct Slab {
  Float8 least, most;

  Slab(const Box8& boxes, const float (&n)[3]) {
    Float8 middle(0.0f), half(0.0f);
    for (int k = 0; k < 3; ++k) {
      const Float8 along(0.5f * n[k]);
      middle = mul_add(along, boxes.hi[k] + boxes.lo[k], middle);
      half = mul_add(abs(along), boxes.hi[k] - boxes.lo[k], half);
    }
    least = middle - half;
    most = middle + half;
  }
};

// The gaps between one triangle of a and eight of b, each along the line between their middles.
inline Float8 between_middles(const Leaf& a, int r, const Leaf& b) {
  Float8 n[3], length2(0.0f);
  for (int k = 0; k < 3; ++k) {
    const float sum_a = a.v[k][r] + a.v[3 + k][r] + a.v[6 + k][r];
    const Float8 sum_b = Float8::load(b.v[k]) + Float8::load(b.v[3 + k]) + Float8::load(b.v[6 + k]);
    n[k] = sum_b - Float8(sum_a);
    length2 = mul_add(n[k], n[k], length2);
  }
  const auto corner_a = [&](int c) {
    return mul_add(n[0], Float8(a.v[3 * c][r]),
                   mul_add(n[1], Float8(a.v[3 * c + 1][r]), n[2] * Float8(a.v[3 * c + 2][r])));
  };
  const auto corner_b = [&](int c) {
    return mul_add(
        n[0], Float8::load(b.v[3 * c]),
        mul_add(n[1], Float8::load(b.v[3 * c + 1]), n[2] * Float8::load(b.v[3 * c + 2])));
  };
  const Float8 most = max(max(corner_a(0), corner_a(1)), corner_a(2));
  const Float8 least = min(min(corner_b(0), corner_b(1)), corner_b(2));
  // Middles that coincide say nothing.
  return (least - most) / sqrt(max(length2, Float8(kShortest2)));
}

}  // namespace impinge
