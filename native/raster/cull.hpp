// A grid of cells in the image and in depth, to leave out faces that are near no other body.
//
// Each face puts the name of its body on all cells its box reaches. Where two names meet there may
// be a collision; a face that reaches no such cell can be left out of the image: two triangles that
// switch a pixel on cover that pixel and have a depth in common, so both reach the cell of that
// pixel and that depth, and both are kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "raster/seen.hpp"

namespace impinge {

class Cells {
 public:
  // A grid for this many faces.
  Cells(std::size_t faces, std::int32_t resolution);

  // Call for all faces, from any thread, before the first question.
  void mark(const Corners& corners, std::int32_t body);
  // Whether the triangle reaches a cell that another body reaches too.
  bool shared(const Corners& corners, std::int32_t body) const;

 private:
  struct Range {
    std::int32_t low[3], high[3];

    std::size_t size() const {
      std::size_t product = 1;
      for (int k = 0; k < 3; ++k) product *= static_cast<std::size_t>(high[k] - low[k] + 1);
      return product;
    }
  };
  using Cell = std::atomic<std::uint32_t>;

  Range range(const Corners& corners, int bits) const;
  template <class F>
  static bool any(const Range& range, int bits, F&& f);

  std::int32_t resolution_;
  int fine_bits_, coarse_bits_;  // of the number of cells along an axis
  // Faces that would fill many fine cells are put into few coarse ones.
  std::vector<Cell> fine_, coarse_;
};

}  // namespace impinge
