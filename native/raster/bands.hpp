// The image cut into bands of rows, each worked on by one thread with its pixels in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/buffer.hpp"
#include "raster/seen.hpp"

namespace impinge {

class Bands {
 public:
  // Sorts all triangles, their boxes grown by `margin` subpixels, into the bands they reach.
  Bands(const Seen& seen, std::int32_t margin, int workers);

  std::size_t count() const { return first_.size() - 1; }
  std::int32_t height() const { return height_; }
  std::int32_t top(std::size_t band) const { return static_cast<std::int32_t>(band) * height_; }
  // Ascending.
  std::span<const std::uint32_t> faces(std::size_t band) const {
    return {faces_.data() + first_[band], faces_.data() + first_[band + 1]};
  }

 private:
  std::int32_t height_;
  std::vector<std::size_t> first_;
  Buffer<std::uint32_t> faces_;
};

}  // namespace impinge
