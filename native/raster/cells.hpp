// A grid of cells in the image and in depth, to find faces that are near no other body.
//
// Each face puts the name of its body on all cells its box reaches. Where two names meet there may
// be a collision; a face that reaches no such cell can be left out of the image: two triangles that
// switch a pixel on cover that pixel and have a depth in common, so both reach the cell of that
// pixel and that depth, and both are kept.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace impinge {

// The cells along x, y and depth that a point, with what may be added to it when pixels are judged,
// reaches: from low[k] to 255 - rest[k]. Turned around like this, both grow by taking the smaller.
struct CellRange {
  std::uint8_t low[4], rest[4];  // the fourth is always zero

  void include(const CellRange& other) {
    for (int k = 0; k < 4; ++k) low[k] = other.low[k] < low[k] ? other.low[k] : low[k];
    for (int k = 0; k < 4; ++k) rest[k] = other.rest[k] < rest[k] ? other.rest[k] : rest[k];
  }
  int high(int k) const { return 255 - rest[k]; }
};

class Cells {
 public:
  // 2^bits cells along each axis: at most 256, and not more than pixels.
  Cells(int bits, std::int32_t resolution);

  CellRange range_of(const std::int32_t* snapped) const;

  // Call for all faces, from any thread, before the first question.
  void mark(const CellRange& range, std::int32_t body);
  // Whether the face reaches a cell that another body reaches too.
  bool shared(const CellRange& range, std::int32_t body) const;

 private:
  using Cell = std::atomic<std::uint32_t>;
  using Places = std::array<std::array<std::uint32_t, 256>, 3>;

  static Cell* zeroed(std::size_t count);
  // Neighbours along all axes are near each other in memory.
  static Places places_of(int bits);
  template <class F>
  static bool any(const CellRange& range, const Places& places, int coarser, F&& f);
  template <class F>
  bool any_of_eight(const CellRange& range, F&& f) const;

  int coarser_;           // bits
  std::int32_t last_[3];  // subpixel or depth that is still in the image
  int shift_[3];          // from there to cells
  Places fine_places_, coarse_places_;
  // Faces that would fill many fine cells are put into few coarse ones. Zero pages of the system:
  // most are never touched.
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::unique_ptr<Cell[], Free> fine_, coarse_;
  std::atomic<bool> any_large_{false};
};

}  // namespace impinge
