// Lower bounds on the distances of eight pairs of triangles, in float32.
//
// The gap between two sets along any line is at most their distance, whatever the rounding of that
// line. With coordinates up to C that are off by e, and u = 2^-24: the corners add 2 sqrt(3) e, dot
// products round by 3 sqrt(3) u C each, and the quotient is within 32 u of itself. See
// docs/exactness.md.
#pragma once

#include "base/lanes.hpp"

namespace impinge {

// Below it squares of lengths lose their precision to underflow.
constexpr float kShortest2 = 1e-30f;

// The gaps of eight pairs of triangles, each along a line of its own that turns towards the best
// one (Gilbert 1966): first between the middles, then between points of both that are ever closer.
class Between {
 public:
  // a(i) and b(i) are coordinates: i = 3 * corner + axis.
  template <class A, class B>
  Between(const A& a, const B& b) {
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) {
        a_[c][k] = a(3 * c + k);
        b_[c][k] = b(3 * c + k);
      }
    }
    for (int k = 0; k < 3; ++k) {
      line_[k] =
          ((b_[0][k] + b_[1][k] + b_[2][k]) - (a_[0][k] + a_[1][k] + a_[2][k])) * Float8(1.0f / 3);
    }
    measure();
  }

  // Along the line.
  Float8 gaps() const { return gaps_; }
  // Unit vectors along the lines, from a to b; zero where a line has no length.
  void direction(Float8 (&unit)[3]) const {
    const Float8 length = sqrt(max(dot(line_, line_), Float8(kShortest2)));
    for (int k = 0; k < 3; ++k) unit[k] = line_[k] / length;
  }

  void turn() {
    Float8 step[3];
    for (int k = 0; k < 3; ++k) step[k] = (tip_b_[k] - tip_a_[k]) - line_[k];
    const Float8 size2 = max(dot(step, step), Float8(kShortest2));
    const Float8 part =
        min(max((Float8(0.0f) - dot(line_, step)) / size2, Float8(0.0f)), Float8(1.0f));
    for (int k = 0; k < 3; ++k) line_[k] = mul_add(part, step[k], line_[k]);
    measure();
  }

 private:
  static Float8 dot(const Float8 (&u)[3], const Float8 (&v)[3]) {
    return mul_add(u[0], v[0], mul_add(u[1], v[1], u[2] * v[2]));
  }

  // The corner that is farthest back along the line, or farthest on for a factor of -1.
  Float8 extreme(const Float8 (&corners)[3][3], float factor, Float8 (&tip)[3]) const {
    Float8 least = dot(line_, corners[0]) * Float8(factor);
    for (int k = 0; k < 3; ++k) tip[k] = corners[0][k];
    for (int c = 1; c < 3; ++c) {
      const Float8 along = dot(line_, corners[c]) * Float8(factor);
      const Mask8 less = least > along;
      least = min(least, along);
      for (int k = 0; k < 3; ++k) tip[k] = select(less, corners[c][k], tip[k]);
    }
    return least;
  }

  void measure() {
    const Float8 apart = extreme(b_, 1, tip_b_) + extreme(a_, -1, tip_a_);
    // A line of no length says nothing.
    gaps_ = apart / sqrt(max(dot(line_, line_), Float8(kShortest2)));
  }

  Float8 a_[3][3], b_[3][3];
  Float8 line_[3], tip_a_[3], tip_b_[3], gaps_;
};

}  // namespace impinge
