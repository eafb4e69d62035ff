// Triangle pairs decided in float32, eight at a time: certainly crossing, certainly apart, or
// undecided. What is undecided goes to the exact test.
#pragma once

#include <cstdint>

#include "simd/lanes.hpp"

namespace impinge {

// Corner coordinates of pairs of triangles, pair by pair along the last index.
struct Batch {
  static constexpr int kCapacity = 512;
  static constexpr int kRoom = kCapacity + 64 + kLanes;  // one leaf pair and a tail more

  alignas(32) float a[9][kRoom], b[9][kRoom];
  alignas(32) std::uint32_t slot_a[kRoom], slot_b[kRoom];
  int size = 0;

  // Moves some of the eight pairs from `first` on to `to` <= first.
  void move(int first, unsigned lanes, int to);
};

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

// Lanes of the eight pairs from `first` on in which one triangle is certainly beside the plane of
// the other. Settles most pairs at a third of the cost of the whole filter.
//
// `error` bounds each coordinate's distance from the truth, in the units of the batch.
unsigned beside(const Batch& batch, int first, float error);

// Packs the other pairs of the batch for the longer test: most pairs are parted by a plane.
void drop_parted(Batch& batch, float error);

struct Verdict8 {
  unsigned crossing, undecided;
};

Verdict8 filter_pairs(const Batch& batch, int first, float error);

}  // namespace impinge
