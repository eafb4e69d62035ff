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
  std::uint32_t slot_a[kRoom], slot_b[kRoom];
  int size = 0;
};

struct Verdict8 {
  unsigned crossing, undecided;
};

// `error` bounds each coordinate's distance from the truth, in the units of the batch.
Verdict8 filter_pairs(const Batch& batch, int first, float error);

}  // namespace impinge
