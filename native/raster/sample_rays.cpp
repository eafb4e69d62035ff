#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>

#include "raster/masks.hpp"
#include "raster/sample_bands.hpp"

namespace impinge::raster {
namespace {

// Sorts by depth, then by facing, then by face.
class Hit {
 public:
  Hit() = default;
  Hit(std::int32_t depth, bool later, std::uint32_t face)
      : bits_(static_cast<std::uint64_t>(2 * depth + later) << 32 | face) {}

  std::int32_t depth() const { return static_cast<std::int32_t>(bits_ >> 33); }
  bool later() const { return (bits_ >> 32 & 1) != 0; }  // of two hits at the same depth
  std::uint64_t key() const { return bits_ >> 32; }
  std::uint32_t face() const { return static_cast<std::uint32_t>(bits_); }
  bool operator<(const Hit& other) const { return bits_ < other.bits_; }

 private:
  std::uint64_t bits_;
};

class RaySampler {
 public:
  SampleCounters counters;

  RaySampler(const Seen& seen, const RayRules& rules)
      : seen_(seen),
        rules_(rules),
        all_closed_(std::all_of(seen.closed, seen.closed + seen.bodies, [](bool c) { return c; })) {
  }

  void begin(std::size_t pixels) { layers_.begin(pixels); }

  void draw(std::uint32_t face, const Corners& c, std::int32_t top, std::int32_t bottom) {
    const std::int64_t area = image_area(c);
    if (area == 0) return;
    const DepthPlane plane(c, area);
    const bool later = (area > 0) == rules_.front_first;
    const std::int32_t low = plane.nearest * (1 << kDepthFraction);
    const std::int32_t high = plane.farthest * (1 << kDepthFraction);
    Cover::middles(c, area, seen_.resolution)
        .for_each_span(top, bottom, [&](std::int32_t y, std::int32_t x, std::int32_t last) {
          const auto first = static_cast<std::uint32_t>((y - top) * seen_.resolution + x);
          const auto n = static_cast<std::uint32_t>(last - x + 1);
          layers_.add_span(first, n, [&](std::uint32_t i) {
            const std::int32_t depth = plane.at(x + static_cast<std::int32_t>(i), y);
            return Hit(std::clamp(depth, low, high) >> kDepthFraction, later, face);
          });
        });
  }

  void judge(std::uint8_t* mask) {
    counters.fragments += layers_.size();
    const auto all = [](std::uint32_t) { return true; };
    layers_.for_each_pixel(all, [&](std::uint32_t pixel, std::span<Hit> hits) {
      counters.layers = std::max<std::uint64_t>(counters.layers, hits.size());
      sort_few(hits, std::less<Hit>());
      counters.odd_pixels += count_closed(hits) % 2;
      mask[pixel] = rules_.both_ends ? contradict(hits) : alternate_wrongly(hits);
      counters.rays += mask[pixel];
    });
  }

 private:
  // Most scenes are of one kind, which saves a look at the bodies.
  bool is_closed(const Hit& hit) const {
    return all_closed_ || seen_.closed[seen_.body[hit.face()]];
  }
  std::size_t count_closed(std::span<const Hit> hits) const {
    if (all_closed_) return hits.size();
    return static_cast<std::size_t>(
        std::count_if(hits.begin(), hits.end(), [this](const Hit& hit) { return is_closed(hit); }));
  }
  bool is_back(const Hit& hit) const { return hit.later() == rules_.front_first; }

  bool alternate_wrongly(std::span<const Hit> hits) const {
    const std::size_t looked_at = std::min<std::size_t>(hits.size(), rules_.layers);
    bool expects_back = false;
    for (std::size_t i = 0; i < looked_at; ++i) {
      const bool closed = is_closed(hits[i]);
      if (i > 0 && !(closed && is_closed(hits[i - 1])) && near(hits[i - 1], hits[i])) return true;
      if (!closed) continue;
      if (is_back(hits[i]) != expects_back) return true;
      expects_back = !expects_back;
    }
    return rules_.mark_deeper && hits.size() > looked_at;
  }

  // Two planes that meet within a pixel differ at its middle by no more than half the difference of
  // their slopes.
  bool near(const Hit& first, const Hit& second) const {
    const Corners a = seen_.corners(first.face()), b = seen_.corners(second.face());
    const DepthPlane p(a, image_area(a)), q(b, image_area(b));
    if (p.steep || q.steep) {
      return p.nearest - rules_.gap <= q.farthest && q.nearest - rules_.gap <= p.farthest;
    }
    const std::int64_t bend = std::abs(p.across - q.across) + std::abs(p.down - q.down);
    const std::int64_t apart = second.depth() - first.depth();
    return apart << kDepthFraction <= (std::int64_t{rules_.gap} << kDepthFraction) + (bend >> 1);
  }

  // From each end only keys are told apart: hits with equal keys are seen as one.
  bool contradict(std::span<Hit> hits) const {
    const std::size_t half = (std::min<std::size_t>(hits.size(), rules_.layers) + 1) / 2;
    const auto distinct = static_cast<std::size_t>(
        std::unique(hits.begin(), hits.end(),
                    [](const Hit& p, const Hit& q) { return p.key() == q.key(); }) -
        hits.begin());
    for (std::size_t i = 0; i < std::min(half, distinct); ++i) {
      if (is_back(hits[i]) != (i % 2 == 1)) return true;
      if (is_back(hits[distinct - 1 - i]) != (i % 2 == 0)) return true;
    }
    return distinct <= 2 * half ? distinct < hits.size() : rules_.mark_deeper;
  }

  const Seen& seen_;
  const RayRules& rules_;
  const bool all_closed_;
  Layers<Hit> layers_;
};

}  // namespace

SampleCounters sample_rays(const Seen& seen, const RayRules& rules, int workers,
                           const Ticker::Callback& tick, std::uint8_t* mask) {
  return sample_bands<RaySampler>(seen, 0, workers, tick, mask,
                                  [&] { return std::make_unique<RaySampler>(seen, rules); });
}

}  // namespace impinge::raster
