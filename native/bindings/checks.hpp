// What the kernels of images take for granted about their arrays.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/largest.hpp"
#include "bindings/arrays.hpp"
#include "raster/seen.hpp"

namespace impinge {

inline void require(bool good, const char* message) {
  if (!good) throw nb::value_error(message);
}

inline void check_below(const std::int32_t* values, std::size_t n, std::size_t limit,
                        const char* message) {
  require(n == 0 || largest_of(values, n) < limit, message);
}

inline void check_resolution(std::int64_t resolution) {
  require(resolution >= 16 && resolution <= 4096 && std::has_single_bit(std::uint64_t(resolution)),
          "the resolution must be a power of two from 16 to 4096");
}

template <class AnyFaces>
void check_snapped(const AnyFaces& snapped, int resolution) {
  std::uint32_t widest = 0, deepest = 0;
  for (std::size_t i = 0; i < snapped.shape(0); ++i) {
    const std::int32_t* v = snapped.data() + 3 * i;
    widest = std::max({widest, std::uint32_t(v[0]), std::uint32_t(v[1])});
    deepest = std::max(deepest, std::uint32_t(v[2]));
  }
  require(widest <= 256u * resolution && deepest <= 1u << raster::kDepthBits,
          "snapped must be within the image");
}

}  // namespace impinge
