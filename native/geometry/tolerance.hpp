// How far a determinant of float32 coordinates may be from the truth.
#pragma once

#include "base/lanes.hpp"

namespace impinge {

// Bound on the error of a 3x3 determinant of coordinate differences.
//
// With S a bound on all differences, true and computed, d the error of a coordinate and u = 2^-24,
// a difference is off by at most h = 2d + uS. Replacing the rows one after the other moves the
// determinant by at most 3 * 6 h S^2; its evaluation rounds each of six products at most five
// times, 30u S^3 in all. Together 36 d S^2 + 48u S^3; 60u leaves room for rounding the bound.
inline Float8 tolerance(Float8 size, float error) {
  return size * size * mul_add(size, Float8(60 * 0x1p-24f), Float8(37 * error));
}
inline float tolerance(float size, float error) {
  return size * size * (size * (60 * 0x1p-24f) + 37 * error);
}

}  // namespace impinge
