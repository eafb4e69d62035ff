// The order of the items in a packed tree: groups of 8, 64, 512 ... neighbours are compact.
//
// A range is cut across the longest side of its centres, the left half being filled up to a whole
// number of full subtrees. Equal coordinates keep their order, so the outcome depends on the
// centres alone, not on the number of workers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd/lanes.hpp"

namespace impinge {

// Coordinates and ids, array by array: eight at a time are moved by the same permutation.
struct Centres {
  static constexpr int kPlanes = 4;
  static constexpr std::size_t kBytes = kPlanes * sizeof(float);  // of one centre

  float* plane[kPlanes];  // x, y, z, and the bits of the id

  // `memory` holds kPlanes * `room` floats; whole eights are read.
  Centres(float* memory, std::size_t room)
      : plane{memory, memory + room, memory + 2 * room, memory + 3 * room} {}

  void set(std::size_t i, float x, float y, float z) const {
    plane[0][i] = x;
    plane[1][i] = y;
    plane[2][i] = z;
    plane[3][i] = std::bit_cast<float>(static_cast<std::int32_t>(i));
  }
  // Those of i .. i + 7.
  void set(std::size_t i, const Point8& p) const {
    for (int k = 0; k < 3; ++k) p.at[k].storeu(plane[k] + i);
    for (std::size_t j = i; j < i + kLanes; ++j) {
      plane[3][j] = std::bit_cast<float>(static_cast<std::int32_t>(j));
    }
  }
};

// Writes the ids of the n centres in the order of the tree. Overwrites `centres` and `spare`.
void order_by_halves(const Centres& centres, const Centres& spare, std::size_t n,
                     std::int32_t* order, int workers);

}  // namespace impinge
