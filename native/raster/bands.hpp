// The image cut into bands of rows, each worked on by one thread with its pixels in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/pool.hpp"

namespace impinge::raster {

// The rows of the image that something reaches, both inclusive.
struct RowSpan {
  std::int32_t first, last;
};

class Bands {
 public:
  // Sorts `size` items into the bands they reach; rows_of(item) gives a `RowSpan`.
  template <class RowsOf>
  Bands(std::int32_t rows, std::size_t size, int workers, const RowsOf& rows_of)
      : height_(std::max(1, std::min(kPixelsPerBand / rows, rows / kFewestBands))) {
    const auto bands = static_cast<std::size_t>(rows / height_);
    const std::size_t chunks = (size + kItemsPerChunk - 1) / kItemsPerChunk;
    const auto for_each_place = [&](std::size_t chunk, auto&& f) {
      const std::size_t end = std::min(size, (chunk + 1) * kItemsPerChunk);
      for (std::size_t item = chunk * kItemsPerChunk; item < end; ++item) {
        const RowSpan reached = rows_of(item);
        const std::int32_t last = reached.last / height_;
        for (std::int32_t b = reached.first / height_; b <= last; ++b) f(b, item);
      }
    };
    // Where each chunk writes within each band: the order does not depend on the threads.
    std::vector<std::size_t> at(chunks * bands, 0);
    parallel_for(workers, chunks, 1, [&](std::size_t chunk, std::size_t end, int) {
      for (; chunk < end; ++chunk) {
        for_each_place(chunk, [&](std::int32_t b, std::size_t) { ++at[chunk * bands + b]; });
      }
    });
    first_.reserve(bands + 1);
    std::size_t sum = 0;
    for (std::size_t b = 0; b < bands; ++b) {
      first_.push_back(sum);
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t here = at[chunk * bands + b];
        at[chunk * bands + b] = sum;
        sum += here;
      }
    }
    first_.push_back(sum);
    items_.resize(sum);
    parallel_for(workers, chunks, 1, [&](std::size_t chunk, std::size_t end, int) {
      for (; chunk < end; ++chunk) {
        for_each_place(chunk, [&](std::int32_t b, std::size_t item) {
          items_[at[chunk * bands + b]++] = static_cast<std::uint32_t>(item);
        });
      }
    });
  }

  std::size_t count() const { return first_.size() - 1; }
  std::int32_t height() const { return height_; }
  std::int32_t top(std::size_t band) const { return static_cast<std::int32_t>(band) * height_; }
  // Ascending.
  std::span<const std::uint32_t> items(std::size_t band) const {
    return {items_.data() + first_[band], items_.data() + first_[band + 1]};
  }

 private:
  static constexpr std::size_t kItemsPerChunk = 8192;
  static constexpr std::int32_t kPixelsPerBand = 1 << 14;
  static constexpr std::int32_t kFewestBands = 16;

  std::int32_t height_;
  std::vector<std::size_t> first_;
  Buffer<std::uint32_t> items_;
};

}  // namespace impinge::raster
