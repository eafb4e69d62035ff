// The facing of a triangle and its depth over the image, in whole numbers of 64 bits.
//
// Coordinates have 20 bits in x and y and 23 in depth, so the largest number here, a component of
// the normal with 15 or a depth with 7 more bits, stays below 2^60.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "raster/seen.hpp"

namespace impinge::raster {

constexpr int kDepthFraction = 7;
constexpr std::int64_t kSteep = std::int64_t{1} << 29;

// Twice the area in the image: negative for a front, positive for a back, zero edge-on.
inline std::int64_t image_area(const Corners& c) {
  return std::int64_t{c.x[1] - c.x[0]} * (c.y[2] - c.y[0]) -
         std::int64_t{c.x[2] - c.x[0]} * (c.y[1] - c.y[0]);
}

struct DepthPlane {
  std::int64_t across = 0, down = 0;  // change of depth per pixel, with 7 fractional bits
  std::uint32_t depth = 0;            // at the middle of the pixel of the first corner, modulo 2^32
  std::int32_t column, row;           // of that pixel
  std::int32_t nearest, farthest;
  bool steep = true;  // the plane tells nothing: use the depths of the corners

  DepthPlane(const Corners& c, std::int64_t area)
      : column(c.x[0] >> kSubpixelBits),
        row(c.y[0] >> kSubpixelBits),
        nearest(c.nearest()),
        farthest(c.farthest()) {
    if (area == 0) return;
    const std::int64_t dx1 = c.x[1] - c.x[0], dy1 = c.y[1] - c.y[0], dz1 = c.z[1] - c.z[0];
    const std::int64_t dx2 = c.x[2] - c.x[0], dy2 = c.y[2] - c.y[0], dz2 = c.z[2] - c.z[0];
    const std::int64_t nx = dz1 * dy2 - dz2 * dy1, ny = dx1 * dz2 - dx2 * dz1;
    across = nx * (1 << 15) / area;
    down = ny * (1 << 15) / area;
    const std::int64_t away = nx * (256 * std::int64_t{column} + 128 - c.x[0]) +
                              ny * (256 * std::int64_t{row} + 128 - c.y[0]);
    const std::int64_t at =
        std::int64_t{c.z[0]} * (1 << kDepthFraction) + away * (1 << kDepthFraction) / area;
    depth = static_cast<std::uint32_t>(at);
    steep = std::abs(across) + std::abs(down) >= kSteep;
  }

  // With 7 fractional bits. Steep planes wrap around, the others never do where they are asked.
  std::int32_t at(std::int32_t x, std::int32_t y) const {
    return static_cast<std::int32_t>(
        depth + static_cast<std::uint32_t>(across) * static_cast<std::uint32_t>(x - column) +
        static_cast<std::uint32_t>(down) * static_cast<std::uint32_t>(y - row));
  }
};

}  // namespace impinge::raster
