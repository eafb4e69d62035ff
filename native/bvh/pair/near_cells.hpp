// Which of 64 x 64 x 64 cells points and triangles are in, and which cells are taken.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "geometry/frame.hpp"

namespace impinge::bvh {

// Cells of a box. Along an axis the cell never falls while the coordinate rises, whatever is
// rounded. So a point in the boxes of two triangles is in a cell that both of them reach.
class Cells {
 public:
  static constexpr int kSide = 64;

  explicit Cells(const Bounds& box) : box_(box) {
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = box.hi[axis] - box.lo[axis];
      // less than a whole cell is left at the end, and a box too flat to divide has one
      scale_[axis] = extent > 1e-290 ? (kSide - 0.1) / extent : 0.0;
    }
  }

  // Three bytes for the cell, and one with a bit for each side of the box that p is beyond.
  std::uint32_t word(const double* p) const {
#if defined(__AVX2__)
    // all axes at once, from registers: what was written one by one is slow to be read as a whole
    const auto all = [](const double* v) { return _mm256_set_pd(0.0, v[2], v[1], v[0]); };
    const __m256d lo = all(box_.lo), hi = all(box_.hi), scale = all(scale_), x = all(p);
    const auto beyond = [](__m256d a, __m256d b) {
      return static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)));
    };
    const __m256d inside = _mm256_min_pd(_mm256_max_pd(x, lo), hi);
    const __m256d at = _mm256_mul_pd(_mm256_sub_pd(inside, lo), scale);
    const __m256d fits = _mm256_cmp_pd(at, _mm256_set1_pd(kSide), _CMP_LT_OQ);
    const __m128i cells = _mm256_cvttpd_epi32(_mm256_and_pd(at, fits));
    const __m128i bytes = _mm_shuffle_epi8(cells, _mm_set_epi32(-1, -1, -1, 0x80080400u));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(bytes)) | beyond(x, lo) << 24 |
           beyond(hi, x) << 27;
#else
    std::uint32_t word = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const bool below = p[axis] < box_.lo[axis], above = box_.hi[axis] < p[axis];
      const double inside = std::clamp(p[axis], box_.lo[axis], box_.hi[axis]);
      const double at = (inside - box_.lo[axis]) * scale_[axis];
      const auto cell = at < kSide ? static_cast<std::uint32_t>(at) : 0;  // NaN has one, too
      word |= cell << (8 * axis);
      word |= (static_cast<std::uint32_t>(below) | static_cast<std::uint32_t>(above) << 3)
              << (24 + axis);
    }
    return word;
#endif
  }

  // Whether all three corners are beyond one side.
  static bool outside(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return ((a & b & c) >> 24) != 0;
  }

 private:
  Bounds box_;
  double scale_[3];
};

// The cells of the box of a triangle.
struct CellRange {
  int low[3], high[3];

  CellRange(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](std::uint32_t word) { return static_cast<int>(word >> (8 * axis) & 63); };
      low[axis] = std::min({at(a), at(b), at(c)});
      high[axis] = std::max({at(a), at(b), at(c)});
    }
  }
  int rows() const { return (high[1] - low[1] + 1) * (high[2] - low[2] + 1); }
};

// Cells that some triangles reach. A row of cells along x is a word. Large triangles go to blocks
// of 8 x 8 x 8 cells instead, so that no triangle takes long, whatever its size.
class TakenCells {
 public:
  // many: several threads take cells at a time.
  explicit TakenCells(bool many) : many_(many) {}

  void take(const CellRange& range) {
    const bool large = range.rows() > kMostRows;
    each_block(range, [&](std::size_t z, std::uint64_t mask) {
      set(any_[z], mask);
      if (large) set(large_[z], mask);
      return false;
    });
    if (!large) {
      each_row(range, [&](std::size_t row, std::uint64_t mask) {
        set(rows_[row], mask);
        return false;
      });
    }
  }

  // Whether a triangle may share a cell with one that took it.
  bool meets(const CellRange& range) const {
    const auto in = [](const auto& words) {
      return [&words](std::size_t at, std::uint64_t mask) {
        return (words[at].load(std::memory_order_relaxed) & mask) != 0;
      };
    };
    if (range.rows() > kMostRows) return each_block(range, in(any_));
    return each_row(range, in(rows_)) || each_block(range, in(large_));
  }

 private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr int kMostRows = 64;

  static std::uint64_t bits(int first, int last) {
    return (~std::uint64_t{0} >> (63 - (last - first))) << first;
  }
  template <class Visit>
  static bool each_row(const CellRange& r, const Visit& visit) {
    const std::uint64_t mask = bits(r.low[0], r.high[0]);
    for (int z = r.low[2]; z <= r.high[2]; ++z) {
      for (int y = r.low[1]; y <= r.high[1]; ++y) {
        if (visit(static_cast<std::size_t>(z * Cells::kSide + y), mask)) return true;
      }
    }
    return false;
  }
  // Blocks of one z are a word, eight rows of eight.
  template <class Visit>
  static bool each_block(const CellRange& r, const Visit& visit) {
    std::uint64_t mask = 0;
    for (int y = r.low[1] / 8; y <= r.high[1] / 8; ++y) {
      mask |= bits(r.low[0] / 8, r.high[0] / 8) << (8 * y);
    }
    for (int z = r.low[2] / 8; z <= r.high[2] / 8; ++z) {
      if (visit(static_cast<std::size_t>(z), mask)) return true;
    }
    return false;
  }
  void set(Word& word, std::uint64_t mask) {
    const std::uint64_t old = word.load(std::memory_order_relaxed);
    if ((old & mask) == mask) return;
    if (many_) {
      word.fetch_or(mask, std::memory_order_relaxed);
    } else {
      word.store(old | mask, std::memory_order_relaxed);
    }
  }

  bool many_;
  std::array<Word, Cells::kSide * Cells::kSide> rows_{};
  std::array<Word, 8> any_{}, large_{};
};

}  // namespace impinge::bvh
