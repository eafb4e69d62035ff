// The pixels of an edge: one in each column it reaches, or in each row when it is steep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "raster/seen.hpp"

namespace impinge::raster {

class Line {
 public:
  // Of two snapped vertices, in any order.
  Line(const std::int32_t* from, const std::int32_t* to, std::int32_t resolution)
      : resolution_(resolution) {
    const auto key = [](const std::int32_t* v) { return std::tuple(v[0], v[1], v[2]); };
    if (key(to) < key(from)) std::swap(from, to);
    upright_ = std::abs(to[1] - from[1]) > std::abs(to[0] - from[0]);
    const int major = upright_ ? 1 : 0;
    if (to[major] < from[major]) std::swap(from, to);
    start_ = from[major];
    length_ = to[major] - start_;
    across_ = from[1 - major];
    slope_ = to[1 - major] - across_;
    depth_ = from[2];
    deeper_ = to[2] - depth_;
  }

  // Calls f(x, y, depth) for its pixels in the rows from `begin` to before `end`.
  template <class F>
  void for_each_pixel(std::int32_t begin, std::int32_t end, F&& f) const {
    std::int32_t first = start_ >> kSubpixelBits;
    std::int32_t last = std::min((start_ + length_) >> kSubpixelBits, resolution_ - 1);
    if (upright_) {
      first = std::max(first, begin);
      last = std::min(last, end - 1);
      for (std::int32_t y = first; y <= last; ++y) {
        const std::int32_t along = away(y), x = minor(along);
        if (x < resolution_) f(x, y, depth(along));
      }
      return;
    }
    // The row only rises or only falls: the columns within the rows follow each other.
    const std::int32_t low = across_ + std::min(slope_, 0), high = across_ + std::max(slope_, 0);
    if (low >> kSubpixelBits >= begin && high >> kSubpixelBits < end) {
      // all of them, as with most edges
    } else if (slope_ >= 0) {
      first = first_where(first, last, [&](std::int32_t row) { return row >= begin; });
      last = first_where(first, last, [&](std::int32_t row) { return row >= end; }) - 1;
    } else {
      first = first_where(first, last, [&](std::int32_t row) { return row < end; });
      last = first_where(first, last, [&](std::int32_t row) { return row < begin; }) - 1;
    }
    for (std::int32_t x = first; x <= last; ++x) {
      const std::int32_t along = away(x);
      f(x, minor(along), depth(along));
    }
  }

 private:
  // From the first end to the middle of a column, within the edge.
  std::int32_t away(std::int32_t column) const {
    return std::clamp((column << kSubpixelBits) + (1 << (kSubpixelBits - 1)) - start_, 0, length_);
  }
  std::int32_t minor(std::int32_t along) const {
    return (across_ + share(slope_, along)) >> kSubpixelBits;
  }
  std::int32_t depth(std::int32_t along) const { return depth_ + share(deeper_, along); }

  // Rounded down.
  std::int32_t share(std::int32_t whole, std::int32_t along) const {
    if (length_ == 0) return 0;
    const std::int64_t product = std::int64_t{whole} * along;
    const std::int64_t quotient = product / length_;
    return static_cast<std::int32_t>(quotient - (quotient * length_ > product));
  }

  template <class Reached>
  std::int32_t first_where(std::int32_t first, std::int32_t last, const Reached& reached) const {
    std::int32_t end = last + 1;
    while (first < end) {
      const std::int32_t middle = first + (end - first) / 2;
      if (reached(minor(away(middle)))) {
        end = middle;
      } else {
        first = middle + 1;
      }
    }
    return first;
  }

  std::int32_t resolution_, start_, length_, across_, slope_, depth_, deeper_;
  bool upright_;
};

}  // namespace impinge::raster
