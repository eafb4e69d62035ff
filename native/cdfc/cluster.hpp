// The triangles of a cluster in the order of the sweep.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/buffer.hpp"
#include "cdfc/boxes.hpp"
#include "cdfc/members.hpp"
#include "cdfc/sweep.hpp"
#include "pairs/soup.hpp"

namespace impinge::cdfc {

// Rows sorted by their start along the first axis; every column has room for eight more.
struct Cluster {
  std::uint32_t index = 0;
  std::size_t size = 0;
  Buffer<float> low[3], high[3];
  Buffer<std::uint32_t> triangle, overlaps;
  Buffer<std::uint8_t> several;  // whether the triangle is in other clusters too
  Buffer<std::uint64_t> offset;
  Buffer<std::int32_t> corner[3], body;
};

struct Overlaps {
  std::uint64_t y_pairs = 0, z_pairs = 0;  // that overlap along two axes, along all three
};

// Partners of row i that follow it along the first axis and overlap it along the others: calls
// found(j, mask) for the rows j + bit, eight at a time. Columns have room for eight more than
// `last`. Which partners overlap is hard to predict, so that 64 are looked at before any branch.
template <class Found>
inline void collect(const float* const (&low)[3], const float* const (&high)[3], std::size_t i,
                    std::size_t last, Overlaps& overlaps, const Found& found) {
  constexpr std::size_t kWord = 64;
  const Float8 y_low(low[1][i]), y_high(high[1][i]), z_low(low[2][i]), z_high(high[2][i]);
  const float *y_lows = low[1], *y_highs = high[1], *z_lows = low[2], *z_highs = high[2];
  for (std::size_t first = i + 1; first < last; first += kWord) {
    const std::size_t left = std::min(kWord, last - first);
    std::uint64_t y = 0, z = 0;
    for (std::size_t shift = 0; shift < left; shift += kLanes) {
      const std::size_t j = first + shift;
      y |= std::uint64_t{bits((Float8::loadu(y_lows + j) <= y_high) &
                              (y_low <= Float8::loadu(y_highs + j)))}
           << shift;
      z |= std::uint64_t{bits((Float8::loadu(z_lows + j) <= z_high) &
                              (z_low <= Float8::loadu(z_highs + j)))}
           << shift;
    }
    y &= ~std::uint64_t{0} >> (kWord - left);
    z &= y;
    overlaps.y_pairs += static_cast<unsigned>(std::popcount(y));
    overlaps.z_pairs += static_cast<unsigned>(std::popcount(z));
    while (z) {
      const unsigned shift = static_cast<unsigned>(std::countr_zero(z)) & ~7u;
      found(first + shift, static_cast<unsigned>(z >> shift) & 255u);
      z &= ~(std::uint64_t{255} << shift);
    }
  }
}

// The stages, each after the other, of one cluster at a time.
class ClusterMaker {
 public:
  void box(const Soup& soup, std::span<const std::uint32_t> triangles, const Axes& axes) {
    boxes_.resize(triangles.size());
    turned_boxes(soup.points(), soup.corners(0), triangles, axes, boxes_.data());
  }

  void sort(const Soup& soup, const Members& members, Cluster& to) {
    const std::span<const std::uint32_t> triangles = members.triangles(to.index);
    const std::size_t n = triangles.size(), room = n + kLanes;
    const std::uint64_t* order = radix_.sort(n, [&](std::size_t i) { return boxes_[i].low[0]; });
    to.size = n;
    for (int k = 0; k < 3; ++k) {
      to.low[k].resize(room);
      to.high[k].resize(room);
      to.corner[k].resize(room);
      std::fill_n(to.corner[k].data() + n, kLanes, 0);
      std::fill_n(to.low[k].data() + n, kLanes, 0.0f);
      std::fill_n(to.high[k].data() + n, kLanes, 0.0f);
    }
    to.triangle.resize(n);
    to.several.resize(n);
    to.body.resize(room);
    std::fill_n(to.body.data() + n, kLanes, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t at = RadixSort::position(order[i]);
      const TurnedBox& box = boxes_[at];
      const std::uint32_t triangle = triangles[at];
      const std::int32_t* corners = soup.corners(triangle);
      for (int k = 0; k < 3; ++k) {
        to.low[k][i] = box.low[k];
        to.high[k][i] = box.high[k];
        to.corner[k][i] = corners[k];
      }
      to.triangle[i] = triangle;
      to.several[i] = members.in_several(triangle);
      to.body[i] = soup.body(triangle);
    }
  }

  static void count(Cluster& of) {
    of.overlaps.resize(of.size);
    of.offset.resize(of.size + 1);
    count_overlaps(of.low[0].data(), of.high[0].data(), of.size, of.overlaps.data(),
                   of.offset.data());
  }

 private:
  Buffer<TurnedBox> boxes_;
  RadixSort radix_;
};

}  // namespace impinge::cdfc
