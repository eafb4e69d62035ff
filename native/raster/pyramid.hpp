// The boxes of the pixels that are on, of ever larger squares of the image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge::raster {

// (x<, y<, x>, y>) in subpixels; inside out when there is nothing in it.
struct ImageBox {
  std::int32_t low[2], high[2];

  bool empty() const { return low[0] >= high[0] || low[1] >= high[1]; }
  void include(const ImageBox& other) {
    for (int k = 0; k < 2; ++k) {
      low[k] = other.low[k] < low[k] ? other.low[k] : low[k];
      high[k] = other.high[k] > high[k] ? other.high[k] : high[k];
    }
  }
};

// A box as half floats can hold it: 11 significant bits, rounded outward.
ImageBox outward(const ImageBox& box);

class Pyramid {
 public:
  // `mask` (resolution, resolution) is copied. With `half`, boxes are those that half floats hold.
  Pyramid(const std::uint8_t* mask, std::int32_t resolution, bool half, int workers);

  // Level 0 has a box for each pixel, the last one a single box.
  int levels() const { return static_cast<int>(above_.size()) + 1; }
  std::int32_t side(int level) const { return resolution_ >> level; }
  std::int32_t resolution() const { return resolution_; }
  bool half() const { return half_; }
  ImageBox box(int level, std::int32_t x, std::int32_t y) const {
    ImageBox box{{256 * resolution_, 256 * resolution_}, {0, 0}};
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

 private:
  // In pixels: at most 4096 of them.
  struct Box {
    std::uint16_t low[2], high[2];

    void include(const Box& other) {
      for (int k = 0; k < 2; ++k) {
        low[k] = other.low[k] < low[k] ? other.low[k] : low[k];
        high[k] = other.high[k] > high[k] ? other.high[k] : high[k];
      }
    }
  };

  void merge_pixels(std::size_t y);
  void merge_boxes(std::size_t y);

  std::int32_t resolution_;
  bool half_;
  std::vector<std::uint8_t> mask_;
  std::vector<std::vector<Box>> above_;
};

}  // namespace impinge::raster
