// Triangle pairs decided in float32, eight at a time: certainly crossing, certainly apart, or
// undecided. What is undecided goes to the exact test.
#pragma once

#include <cstdint>

#include "bvh/tree.hpp"
#include "simd/lanes.hpp"

namespace impinge {

// Corner coordinates of pairs of triangles, pair by pair along the last index.
struct Batch {
  static constexpr int kCapacity = 512;
  static constexpr int kRoom = kCapacity + 64 + kLanes;  // one leaf pair and a tail more

  alignas(32) float a[9][kRoom], b[9][kRoom];
  std::uint32_t slot_a[kRoom], slot_b[kRoom];
  int size = 0;
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

// The planes of the eight triangles of a leaf.
struct Planes8 {
  Float8 normal[3];
  Float8 span;  // longest side of each triangle's box

  Planes8() = default;
  Planes8(const Leaf& leaf, const Box8& boxes);
};

// Lanes of b that are certainly beside the plane of one lane of a, or have that lane of a beside
// theirs, where the boxes of both overlap up to the margins. The signs are those of the filter
// below, but they come before the triangles are gathered: most pairs of a leaf end here.
unsigned beside(const Leaf& a, const Planes8& planes_a, int lane, const Leaf& b,
                const Planes8& planes_b, float error);

struct Verdict8 {
  unsigned crossing, undecided;
};

// `error` bounds each coordinate's distance from the truth, in the units of the batch.
Verdict8 filter_pairs(const Batch& batch, int first, float error);

}  // namespace impinge
