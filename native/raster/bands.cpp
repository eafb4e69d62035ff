#include "raster/bands.hpp"

#include <algorithm>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kFacesPerChunk = 8192;
constexpr std::int32_t kPixelsPerBand = 1 << 14;
constexpr std::int32_t kFewestBands = 16;

}  // namespace

Bands::Bands(const Seen& seen, std::int32_t margin, int workers) {
  const std::int32_t rows = seen.resolution;
  height_ = std::max(1, std::min(kPixelsPerBand / rows, rows / kFewestBands));
  const auto bands = static_cast<std::size_t>(rows / height_);
  const std::size_t chunks = (seen.size + kFacesPerChunk - 1) / kFacesPerChunk;
  const auto for_each_place = [&](std::size_t chunk, auto&& f) {
    const std::size_t end = std::min(seen.size, (chunk + 1) * kFacesPerChunk);
    for (std::size_t face = chunk * kFacesPerChunk; face < end; ++face) {
      const Corners c = seen.corners(face);
      const std::int32_t last = pixel_of(c.bottom() + margin, rows) / height_;
      for (std::int32_t b = pixel_of(c.top() - margin, rows) / height_; b <= last; ++b) f(b, face);
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
  faces_.resize(sum);
  parallel_for(workers, chunks, 1, [&](std::size_t chunk, std::size_t end, int) {
    for (; chunk < end; ++chunk) {
      for_each_place(chunk, [&](std::int32_t b, std::size_t face) {
        faces_[at[chunk * bands + b]++] = static_cast<std::uint32_t>(face);
      });
    }
  });
}

}  // namespace impinge
