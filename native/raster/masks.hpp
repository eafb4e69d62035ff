// Which pixels of the image may hold a collision.
#pragma once

#include <cstdint>
#include <limits>

#include "base/ticker.hpp"
#include "raster/seen.hpp"

namespace impinge::raster {

struct SampleCounters {
  std::uint64_t rays = 0;       // pixels that are on
  std::uint64_t fragments = 0;  // of all pixels
  std::uint64_t layers = 0;     // most fragments of one pixel
  std::uint64_t odd_pixels = 0;

  void add(const SampleCounters& other) {
    rays += other.rays;
    fragments += other.fragments;
    layers = layers > other.layers ? layers : other.layers;
    odd_pixels += other.odd_pixels;
  }
};

// How the layers along a ray are judged.
struct RayRules {
  std::uint32_t layers = std::numeric_limits<std::uint32_t>::max();  // how many are looked at
  bool mark_deeper = false;  // rays with more than that are on
  bool both_ends = false;    // look from the front and from the back, half of them each
  bool front_first = true;   // at equal depth, so that surfaces in contact are on
  std::int32_t gap = 1;      // depths between layers of open surfaces that are near each other
};

// Rays through the middles of pixels, in `mask` (resolution, resolution). A ray is on when fronts
// and backs of closed bodies do not alternate along it, or when it passes two surfaces, one of them
// open, that may meet within its pixel.
SampleCounters sample_rays(const Seen& seen, const RayRules& rules, int workers,
                           const Ticker::Callback& tick, std::uint8_t* mask);

// Whole squares of pixels: one is on when two triangles that may collide, of different bodies or
// without a common vertex, can be at the same depth somewhere in it. Misses nothing.
SampleCounters sample_squares(const Seen& seen, int workers, const Ticker::Callback& tick,
                              std::uint8_t* mask);

}  // namespace impinge::raster
