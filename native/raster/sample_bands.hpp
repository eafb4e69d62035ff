// The common part of both ways to sample: triangles to spans to fragments, band by band.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/pool.hpp"
#include "raster/bands.hpp"
#include "raster/cover.hpp"
#include "raster/layers.hpp"
#include "raster/masks.hpp"

namespace impinge::raster {

// `Sampler` belongs to one thread: begin(pixels) starts a band, draw(face, corners, top, bottom)
// adds the fragments of a triangle, judge(mask) writes the pixels of the band that are on, and
// counts.
template <class Sampler, class Make>
SampleCounters sample_bands(const Seen& seen, std::int32_t margin, int workers,
                            const Ticker::Callback& tick, std::uint8_t* mask, const Make& make) {
  const std::size_t width = static_cast<std::size_t>(seen.resolution);
  std::fill_n(mask, width * width, std::uint8_t{0});
  const Bands bands(seen.resolution, seen.size, workers, [&](std::size_t face) {
    const Corners c = seen.corners(face);
    return RowSpan{pixel_of(c.top() - margin, seen.resolution),
                   pixel_of(c.bottom() + margin, seen.resolution)};
  });
  std::vector<std::unique_ptr<Sampler>> samplers(std::max(1, workers));
  Ticker ticker(bands.count(), tick);
  constexpr std::size_t kFacesPerPulse = 4096;
  parallel_for(workers, bands.count(), 1, [&](std::size_t band, std::size_t end, int worker) {
    if (!samplers[worker]) samplers[worker] = make();
    Sampler& sampler = *samplers[worker];
    for (; band < end; ++band) {
      const std::int32_t top = bands.top(band), bottom = top + bands.height();
      const auto faces = bands.items(band);
      if (!faces.empty()) {
        sampler.begin(width * bands.height());
        for (std::size_t i = 0; i < faces.size(); ++i) {
          if (i % kFacesPerPulse == 0 && !ticker.pulse(worker)) return;
          sampler.draw(faces[i], seen.corners(faces[i]), top, bottom);
        }
        sampler.judge(mask + top * width);
      }
      ticker.done(worker);
    }
  });
  SampleCounters counters;
  for (const auto& sampler : samplers) {
    if (sampler) counters.add(sampler->counters);
  }
  return counters;
}

}  // namespace impinge::raster
