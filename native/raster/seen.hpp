// What is sampled: triangles in whole numbers, x and y in 1/256 pixel, y down, depth in 23 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace impinge::raster {

constexpr int kSubpixelBits = 8;
constexpr int kDepthBits = 23;

struct Corners {
  std::int32_t x[3], y[3], z[3];

  std::int32_t left() const { return std::min({x[0], x[1], x[2]}); }
  std::int32_t right() const { return std::max({x[0], x[1], x[2]}); }
  std::int32_t top() const { return std::min({y[0], y[1], y[2]}); }
  std::int32_t bottom() const { return std::max({y[0], y[1], y[2]}); }
  std::int32_t nearest() const { return std::min({z[0], z[1], z[2]}); }
  std::int32_t farthest() const { return std::max({z[0], z[1], z[2]}); }
};

// Of a face, three rows of `snapped`.
inline Corners corners_of(const std::int32_t* snapped, const std::int32_t* face) {
  Corners c;
  for (int i = 0; i < 3; ++i) {
    const std::int32_t* v = snapped + 3 * std::size_t(face[i]);
    c.x[i] = v[0];
    c.y[i] = v[1];
    c.z[i] = v[2];
  }
  return c;
}

struct Seen {
  const std::int32_t* snapped;  // (n, 3)
  const std::int32_t* faces;    // (size, 3) rows of `snapped`
  const std::int32_t* body;     // of each face
  const bool* closed;           // bodies whose edges are used once in each direction
  const bool* alone;            // bodies that are checked against themselves
  std::size_t bodies, size;     // numbers of bodies and faces
  std::int32_t resolution;      // pixels on a side, a power of two from 16 on

  Corners corners(std::size_t face) const { return corners_of(snapped, faces + 3 * face); }
  bool share_vertex(std::size_t p, std::size_t q) const {
    const std::int32_t *a = faces + 3 * p, *b = faces + 3 * q;
    for (int i = 0; i < 3; ++i) {
      if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) return true;
    }
    return false;
  }
};

// The pixel a subpixel coordinate is in, kept within the image.
inline std::int32_t pixel_of(std::int32_t subpixel, std::int32_t resolution) {
  return std::clamp(subpixel >> kSubpixelBits, 0, resolution - 1);
}

}  // namespace impinge::raster
