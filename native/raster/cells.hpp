// A grid of cells in the image and in depth, to find faces that are near no other body.
//
// Each face puts the name of its body on all cells its box reaches. Where two names meet there may
// be a collision; a face that reaches no such cell can be left out of the image: two triangles that
// switch a pixel on cover that pixel and have a depth in common, so both reach the cell of that
// pixel and that depth, and both are kept.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace impinge::raster {

// The cells along x, y and depth that a point, with what may be added to it when pixels are judged,
// reaches: from low to 255 - rest. Turned around like this, both grow by taking the smaller.
struct CellRange {
  std::uint8_t bytes[8];  // low x, y, z, 0, rest x, y, z, 0

  void include(const CellRange& other) {
    for (int i = 0; i < 8; ++i) {
      bytes[i] = other.bytes[i] < bytes[i] ? other.bytes[i] : bytes[i];
    }
  }
};

// The same, unpacked.
struct CellBox {
  std::uint32_t low[3], high[3];

  explicit CellBox(const CellRange& range) {
    const auto bits = std::bit_cast<std::uint64_t>(range.bytes);
    const auto byte = [](std::uint64_t word, int i) {
      return static_cast<std::uint32_t>(word >> (8 * i)) & 255;
    };
    for (int k = 0; k < 3; ++k) {
      low[k] = byte(bits, first_byte(k));
      high[k] = byte(~bits, first_byte(4 + k));
    }
  }

 private:
  static constexpr int first_byte(int i) {
    return std::endian::native == std::endian::little ? i : 7 - i;
  }
};

class Cells {
 public:
  // 2^bits cells along each axis: at most 256, and not more than pixels.
  Cells(int bits, std::int32_t resolution);

  CellRange range_of(const std::int32_t* snapped) const;

  // Call for all faces, from any thread, before the first question.
  void mark(const CellBox& box, std::int32_t body) {
    const std::uint32_t name = name_of(body);
    const auto is_new = [name](std::uint32_t held) { return (held != name) & (held != kSeveral); };
    if (!is_small(box) || any_of_eight(box, is_new)) mark_each(box, name);
  }
  // Whether the face reaches a cell that another body reaches too.
  bool shared(const CellBox& box, std::int32_t body) const {
    const auto is_shared = [](std::uint32_t held) { return held == kSeveral; };
    if (!is_small(box) || any_large_.load(std::memory_order_relaxed)) {
      return shared_any(box, name_of(body));
    }
    return any_of_eight(box, is_shared);
  }

 private:
  using Cell = std::atomic<std::uint32_t>;
  using Places = std::array<std::array<std::uint32_t, 256>, 3>;

  static constexpr std::uint32_t kNobody = 0, kSeveral = ~0u;

  static std::uint32_t name_of(std::int32_t body) { return static_cast<std::uint32_t>(body) + 1; }
  static Cell* zeroed(std::size_t count);
  // Neighbours along all axes are near each other in memory.
  static Places places_of(int bits);
  template <class F>
  static bool any(const CellBox& box, const Places& places, int coarser, F&& f);
  // At most two cells along each axis, as nearly all faces.
  static bool is_small(const CellBox& box) {
    const auto more = [&](int k) { return box.high[k] - box.low[k]; };
    return (more(0) | more(1) | more(2)) <= 1;
  }
  // Looks at all corners of the box, the same cell twice or not: that is quicker than to find out.
  template <class F>
  bool any_of_eight(const CellBox& box, F&& f) const {
    const std::uint32_t left = fine_places_[0][box.low[0]], right = fine_places_[0][box.high[0]];
    const std::uint32_t top = fine_places_[1][box.low[1]], bottom = fine_places_[1][box.high[1]];
    const auto either = [&](std::uint32_t row) {
      return f(fine_[row + left].load(std::memory_order_relaxed)) |
             f(fine_[row + right].load(std::memory_order_relaxed));
    };
    const auto layer = [&](std::uint32_t z) { return either(z + top) | either(z + bottom); };
    return layer(fine_places_[2][box.low[2]]) | layer(fine_places_[2][box.high[2]]);
  }
  void mark_each(const CellBox& box, std::uint32_t name);
  bool shared_any(const CellBox& box, std::uint32_t name) const;

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

}  // namespace impinge::raster
