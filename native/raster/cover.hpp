// Which pixels a triangle covers: those whose middle it holds, or all it can possibly reach.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "raster/plane.hpp"

namespace impinge::raster {

// Bounds 0 <= across[i] x + down[i] y + start[i] <= limit[i] on pixels (x, y) within a box. In each
// row they leave one span of pixels.
class Cover {
 public:
  std::int32_t left, right, top, bottom;  // pixels, all inclusive

  // Pixels whose middle is inside; on the border, those of a left or a top edge.
  static Cover middles(const Corners& c, std::int64_t area, std::int32_t resolution) {
    Cover cover(c, resolution, 0);
    cover.set_edges(c, area, [](std::int64_t a, std::int64_t b) {
      const bool owned = a > 0 || (a == 0 && b > 0);
      return std::int64_t{owned ? 0 : -1};
    });
    return cover;
  }

  // Pixels whose square, grown by one subpixel on each side, meets the triangle.
  static Cover squares(const Corners& c, std::int64_t area, std::int32_t resolution) {
    Cover cover(c, resolution, 1);
    const auto reach = [](std::int64_t a, std::int64_t b) {
      return 129 * (std::abs(a) + std::abs(b));
    };
    cover.set_edges(c, area, reach);
    if (area != 0) return cover;
    // Edge-on there is no inner side: a line must pass each square on both.
    cover.limited_ = true;
    for (int i = 0; i < 3; ++i) {
      cover.limit_[i] = 2 * reach(cover.across_[i] / 256, cover.down_[i] / 256);
    }
    return cover;
  }

  // Calls f(y, first, last) for each row from `begin` to before `end` with covered pixels.
  template <class F>
  void for_each_span(std::int32_t begin, std::int32_t end, F&& f) const {
    constexpr std::int32_t kNarrow = 16;
    const bool narrow = right - left < kNarrow && !limited_;
    for (std::int32_t y = std::max(begin, top); y < end && y <= bottom; ++y) {
      std::int32_t first = left, last = right;
      if (narrow) {
        step_inward(y, first, last);
      } else {
        for (int i = 0; i < 3; ++i) narrow_span(i, y, first, last);
      }
      if (first <= last) f(y, first, last);
    }
  }

 private:
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 2;

  std::int64_t across_[3], down_[3], start_[3], limit_[3];
  bool limited_ = false;

  Cover(const Corners& c, std::int32_t resolution, std::int32_t margin)
      : left(pixel_of(c.left() - margin, resolution)),
        right(pixel_of(c.right() + margin, resolution)),
        top(pixel_of(c.top() - margin, resolution)),
        bottom(pixel_of(c.bottom() + margin, resolution)) {}

  template <class Bias>
  void set_edges(const Corners& c, std::int64_t area, const Bias& bias) {
    for (int i = 0; i < 3; ++i) {
      int from = i, to = (i + 1) % 3;
      if (area <= 0) std::swap(from, to);
      const std::int64_t x = c.x[from], y = c.y[from], a = y - c.y[to], b = c.x[to] - x;
      across_[i] = 256 * a;
      down_[i] = 256 * b;
      start_[i] = a * (128 - x) + b * (128 - y) + bias(a, b);
      limit_[i] = kNoLimit;
    }
  }

  // Without upper limits: inside where no value is negative.
  void step_inward(std::int32_t y, std::int32_t& first, std::int32_t& last) const {
    const auto at = [&](std::int32_t x, int i) {
      return across_[i] * x + down_[i] * y + start_[i];
    };
    std::int64_t a = at(first, 0), b = at(first, 1), c = at(first, 2);
    while (first <= last && (a | b | c) < 0) {
      a += across_[0];
      b += across_[1];
      c += across_[2];
      ++first;
    }
    a = at(last, 0), b = at(last, 1), c = at(last, 2);
    while (first < last && (a | b | c) < 0) {
      a -= across_[0];
      b -= across_[1];
      c -= across_[2];
      --last;
    }
  }

  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return quotient - (quotient * b > a);  // for positive b
  }

  void narrow_span(int i, std::int32_t y, std::int32_t& first, std::int32_t& last) const {
    std::int64_t low = -(down_[i] * y + start_[i]), high = low + limit_[i], step = across_[i];
    if (step == 0) {
      if (low > 0 || high < 0) last = first - 1;
      return;
    }
    if (step < 0) {
      std::swap(low, high);
      low = -low;
      high = -high;
      step = -step;
    }
    const std::int64_t lowest = -floor_divide(-low, step);  // rounded up
    const std::int64_t highest = floor_divide(high, step);
    if (lowest > last || highest < first) {
      last = first - 1;
      return;
    }
    first = std::max(first, static_cast<std::int32_t>(std::max<std::int64_t>(lowest, 0)));
    last = static_cast<std::int32_t>(std::min<std::int64_t>(last, highest));
  }
};

}  // namespace impinge::raster
