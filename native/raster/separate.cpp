#include "raster/separate.hpp"

#include <algorithm>
#include <bit>

#include "base/pool.hpp"

namespace impinge::raster {
namespace {

constexpr std::size_t kGrain = 4096;

// The squares of one level that hold the corners of a box: up to two along each axis.
struct Texels {
  std::int32_t first[2], last[2];

  Texels(const ImageBox& box, int level, std::int32_t whole) {
    for (int k = 0; k < 2; ++k) {
      first[k] = box.low[k] >> (kSubpixelBits + level);
      last[k] = std::min(box.high[k], whole - 1) >> (kSubpixelBits + level);
    }
  }
  bool neighbours() const { return last[0] - first[0] <= 1 && last[1] - first[1] <= 1; }
};

// The box of a triangle, grown by one subpixel for what snapping moved it.
ImageBox box_of(const Corners& c, std::int32_t whole) {
  const auto low = [=](std::int32_t x) { return std::clamp(x - 1, 0, whole - 1); };
  const auto high = [=](std::int32_t x) { return std::clamp(x + 1, 1, whole); };
  return {{low(c.left()), low(c.top())}, {high(c.right()), high(c.bottom())}};
}

// The finest level whose squares are as large as the box, or half as large when that is enough.
int level_for(const ImageBox& box, const Pyramid& pyramid, std::int32_t whole) {
  const std::int32_t extent = std::max(box.high[0] - box.low[0], box.high[1] - box.low[1]);
  int level = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(extent - 1) >> 8));
  if (level > 0 && Texels(box, level - 1, whole).neighbours()) --level;
  return std::min(level, pyramid.levels() - 1);
}

ImageBox clipped(const Corners& corners, const Pyramid& pyramid) {
  const std::int32_t whole = 256 * pyramid.resolution();
  const ImageBox none{{0, 0}, {0, 0}};
  ImageBox own = box_of(corners, whole);
  const int level = level_for(own, pyramid, whole);
  const Texels texels(own, level, whole);
  ImageBox box{{whole, whole}, {0, 0}};
  for (std::int32_t y = texels.first[1]; y <= texels.last[1]; ++y) {
    for (std::int32_t x = texels.first[0]; x <= texels.last[0]; ++x) {
      box.include(pyramid.box(level, x, y));
    }
  }
  if (box.empty()) return none;
  if (pyramid.half()) own = outward(own);
  for (int k = 0; k < 2; ++k) {
    box.low[k] = std::max(box.low[k], own.low[k]);
    box.high[k] = std::min(box.high[k], own.high[k]);
    if (box.low[k] > box.high[k]) return none;
    // All zero is the mark of an empty box, so no other may be without extent.
    if (box.low[k] == box.high[k]) ++box.high[k];
  }
  return pyramid.half() ? outward(box) : box;
}

}  // namespace

void separate(const Seen& seen, const Pyramid& pyramid, int workers, std::int32_t* boxes) {
  parallel_for(workers, seen.size, kGrain, [&](std::size_t face, std::size_t end, int) {
    for (; face < end; ++face) {
      const ImageBox box = clipped(seen.corners(face), pyramid);
      std::int32_t* to = boxes + 4 * face;
      std::copy_n(box.low, 2, to);
      std::copy_n(box.high, 2, to + 2);
    }
  });
}

}  // namespace impinge::raster
