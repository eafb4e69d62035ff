// Triangle pairs decided in float32, eight at a time: certainly crossing, certainly apart, or
// undecided. What is undecided goes to the exact test.
#pragma once

#include <cstdint>

#include "base/lanes.hpp"

namespace impinge {

// Corner coordinates of pairs of triangles, pair by pair along the last index.
struct Batch {
  static constexpr int kCapacity = 512;
  static constexpr int kRoom = kCapacity + 64 + kLanes;  // one leaf pair and a tail more

  alignas(32) float a[9][kRoom], b[9][kRoom];
  alignas(32) std::uint32_t slot_a[kRoom], slot_b[kRoom];
  int size = 0;

  bool is_full() const { return size >= kCapacity; }
  // Bit per pair that there is of the eight from `first` on.
  unsigned live(int first) const {
    const int left = size - first;
    return left >= kLanes ? 255u : (1u << left) - 1;
  }
  // Moves some of the eight pairs from `first` on to `to` <= first.
  void move(int first, unsigned lanes, int to);
};

// Leaves out pairs in which one triangle is certainly beside the plane of the other: most of them,
// at a third of the cost of the whole filter. `error` bounds the distance of each coordinate from
// the truth, in the units of the batch.
void drop_parted(Batch& batch, float error);

struct Verdict8 {
  unsigned crossing, undecided;
};

Verdict8 filter_pairs(const Batch& batch, int first, float error);

}  // namespace impinge
