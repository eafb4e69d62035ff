// The triangles of a cluster in the order of the sweep.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/buffer.hpp"
#include "cdfc/boxes.hpp"
#include "cdfc/soup.hpp"
#include "cdfc/sweep.hpp"

namespace impinge::cdfc {

// Rows sorted by their start along the first axis; every column has room for eight more.
struct Cluster {
  std::uint32_t index = 0;
  std::size_t size = 0;
  Buffer<float> low[3], high[3];
  Buffer<std::uint32_t> triangle, overlaps;
  Buffer<std::uint64_t> offset;
  Buffer<std::int32_t> corner[3], body;
};

struct Overlaps {
  std::uint64_t y_pairs = 0, z_pairs = 0;  // that overlap along two axes, along all three
};

// Partners of row i that follow it along the first axis and overlap it along the others, eight at a
// time: calls found(j, mask) for the rows j + bit. Columns have room for eight more than `last`.
template <class Found>
inline void collect(const float* const (&low)[3], const float* const (&high)[3], std::size_t i,
                    std::size_t last, Overlaps& overlaps, const Found& found) {
  const Float8 y_low(low[1][i]), y_high(high[1][i]), z_low(low[2][i]), z_high(high[2][i]);
  for (std::size_t j = i + 1; j < last; j += kLanes) {
    unsigned mask =
        bits((Float8::loadu(low[1] + j) <= y_high) & (y_low <= Float8::loadu(high[1] + j)));
    if (!mask) continue;
    if (last - j < kLanes) mask &= (1u << (last - j)) - 1;
    overlaps.y_pairs += static_cast<unsigned>(std::popcount(mask));
    mask &= bits((Float8::loadu(low[2] + j) <= z_high) & (z_low <= Float8::loadu(high[2] + j)));
    if (!mask) continue;
    overlaps.z_pairs += static_cast<unsigned>(std::popcount(mask));
    found(j, mask);
  }
}

// The stages, each after the other, of one cluster at a time.
class ClusterMaker {
 public:
  void box(const Soup& soup, std::span<const std::uint32_t> triangles, const Axes& axes) {
    boxes_.resize(triangles.size());
    turned_boxes(soup.points(), soup.corners(0), triangles, axes, boxes_.data());
  }

  void sort(const Soup& soup, std::span<const std::uint32_t> triangles, Cluster& to) {
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
