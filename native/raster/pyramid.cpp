#include "raster/pyramid.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/pool.hpp"

namespace impinge::raster {
namespace {

constexpr std::int32_t kHalfBits = 11;
constexpr std::size_t kRowsPerTask = 32;

std::int32_t rounded(std::int32_t value, bool up) {
  const int drop =
      std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(value))) - kHalfBits);
  const std::int32_t rest = up ? (1 << drop) - 1 : 0;
  return (value + rest) >> drop << drop;
}

}  // namespace

ImageBox outward(const ImageBox& box) {
  return {{rounded(box.low[0], false), rounded(box.low[1], false)},
          {rounded(box.high[0], true), rounded(box.high[1], true)}};
}

Pyramid::Pyramid(const std::uint8_t* mask, std::int32_t resolution, bool half, int workers)
    : resolution_(resolution),
      half_(half),
      mask_(mask, mask + static_cast<std::size_t>(resolution) * resolution) {
  for (std::int32_t side = resolution / 2; side > 0; side /= 2) {
    above_.emplace_back(static_cast<std::size_t>(side) * side);
    parallel_for(workers, side, kRowsPerTask, [&](std::size_t y, std::size_t end, int) {
      for (; y < end; ++y) {
        if (above_.size() == 1) {
          merge_pixels(y);
        } else {
          merge_boxes(y);
        }
      }
    });
  }
}

// A row of the first level. Most pixels are off, and eight of them are one look.
void Pyramid::merge_pixels(std::size_t y) {
  const std::size_t width = resolution_;
  const std::uint8_t* rows[2] = {&mask_[2 * y * width], &mask_[(2 * y + 1) * width]};
  Box* to = &above_[0][y * (width / 2)];
  const auto whole = static_cast<std::uint16_t>(width);
  std::fill_n(to, width / 2, Box{{whole, whole}, {0, 0}});
  const auto visit = [&](std::size_t x, std::size_t row) {
    if (!rows[row][x]) return;
    const auto px = static_cast<std::uint16_t>(x), py = static_cast<std::uint16_t>(2 * y + row);
    to[x / 2].include({{px, py}, {std::uint16_t(px + 1), std::uint16_t(py + 1)}});
  };
  for (std::size_t x = 0; x < width; x += 8) {
    std::uint64_t above, below;
    std::memcpy(&above, rows[0] + x, 8);
    std::memcpy(&below, rows[1] + x, 8);
    if ((above | below) == 0) continue;
    for (std::size_t i = x; i < x + 8; ++i) {
      visit(i, 0);
      visit(i, 1);
    }
  }
}

// A row of the last level so far, from the one below.
void Pyramid::merge_boxes(std::size_t y) {
  const std::vector<Box>& below = above_[above_.size() - 2];
  const std::size_t side = static_cast<std::size_t>(resolution_) >> above_.size();
  for (std::size_t x = 0; x < side; ++x) {
    const Box* four = &below[4 * y * side + 2 * x];
    Box box = four[0];
    box.include(four[1]);
    box.include(four[2 * side]);
    box.include(four[2 * side + 1]);
    above_.back()[y * side + x] = box;
  }
}

}  // namespace impinge::raster
