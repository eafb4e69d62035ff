#include "raster/pyramid.hpp"

#include <algorithm>
#include <bit>

#include "parallel/pool.hpp"

namespace impinge {
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
  const auto whole = static_cast<std::uint16_t>(resolution);
  const Box none{{whole, whole}, {0, 0}};
  const auto unite = [](Box& into, const Box& from) {
    for (int k = 0; k < 2; ++k) {
      into.low[k] = std::min(into.low[k], from.low[k]);
      into.high[k] = std::max(into.high[k], from.high[k]);
    }
  };
  const auto pixel_box = [&](std::size_t x, std::size_t y) {
    const auto at = [](std::size_t i) { return static_cast<std::uint16_t>(i); };
    return mask_[y * resolution + x] ? Box{{at(x), at(y)}, {at(x + 1), at(y + 1)}} : none;
  };
  for (std::int32_t n = resolution / 2; n > 0; n /= 2) {
    const std::size_t side = n;
    const std::vector<Box>* below = above_.empty() ? nullptr : &above_.back();
    const auto child = [&](std::size_t x, std::size_t y) {
      return below ? (*below)[y * 2 * side + x] : pixel_box(x, y);
    };
    std::vector<Box> level(side * side);
    parallel_for(workers, side, kRowsPerTask, [&](std::size_t y, std::size_t end, int) {
      for (; y < end; ++y) {
        for (std::size_t x = 0; x < side; ++x) {
          Box box = none;
          for (std::size_t i = 0; i < 4; ++i) unite(box, child(2 * x + i % 2, 2 * y + i / 2));
          level[y * side + x] = box;
        }
      }
    });
    above_.push_back(std::move(level));
  }
}

ImageBox Pyramid::box(int level, std::int32_t x, std::int32_t y) const {
  const std::int32_t whole = 256 * resolution_;
  ImageBox box{{whole, whole}, {0, 0}};
  if (level == 0) {
    if (mask_[static_cast<std::size_t>(y) * resolution_ + x]) {
      box = {{256 * x, 256 * y}, {256 * (x + 1), 256 * (y + 1)}};
    }
  } else {
    const Box& b = above_[level - 1][static_cast<std::size_t>(y) * side(level) + x];
    box = {{256 * b.low[0], 256 * b.low[1]}, {256 * b.high[0], 256 * b.high[1]}};
  }
  return half_ ? outward(box) : box;
}

}  // namespace impinge
