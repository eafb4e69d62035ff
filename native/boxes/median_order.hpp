// The order of the items in a tree: whatever lies in one subtree is compact.
//
// A range is cut across the longest side of its centres. Equal coordinates keep their order, so the
// outcome depends on the centres alone, not on the number of workers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/lanes.hpp"

namespace impinge {

// Coordinates and ids, array by array: eight at a time are moved by the same permutation.
template <int kAxisCount>
struct Centres {
  static constexpr int kAxes = kAxisCount;
  static constexpr int kPlanes = kAxes + 1;
  static constexpr std::size_t kBytes = kPlanes * sizeof(float);  // of one centre

  float* plane[kPlanes];  // the coordinates, and the bits of the id

  // `memory` holds kPlanes * `room` floats; whole eights are read.
  Centres(float* memory, std::size_t room) {
    for (int p = 0; p < kPlanes; ++p) plane[p] = memory + p * room;
  }

  float* ids() const { return plane[kAxes]; }
  void set_id(std::size_t i) const {
    ids()[i] = std::bit_cast<float>(static_cast<std::int32_t>(i));
  }
};

// In space, and in space and on the surface at once.
using SpaceCentres = Centres<3>;
using SurfaceCentres = Centres<6>;

// Where a range is cut. For packed trees, whose groups of 8, 64, 512 ... neighbours are compact,
// the left half is filled up to a whole number of full subtrees; binary trees are cut in the
// middle, down to single items.
enum class Cuts { packed, middle };

// How many of n items are left of the middle.
inline std::size_t left_of_middle(std::size_t n) { return (n + 1) / 2; }

// Writes the ids of the n centres in the order of the tree. Overwrites `centres` and `spare`.
template <Cuts kCuts = Cuts::packed, class AnyCentres>
void order_by_medians(const AnyCentres& centres, const AnyCentres& spare, std::size_t n,
                      std::int32_t* order, int workers);

}  // namespace impinge
