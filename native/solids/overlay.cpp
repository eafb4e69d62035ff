#include "solids/overlay.hpp"

#include <algorithm>

#include "base/pool.hpp"
#include "bvh/pair/collide.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kPairGrain = 128;

// Of an edge of one of the faces: its own, or -1.
std::int8_t own_edge(int edge, int surface) {
  return static_cast<std::int8_t>(edge / 3 == surface ? edge % 3 : -1);
}

}  // namespace

Overlay::Overlay(const PlacedSolid& a, const PlacedSolid& b, int workers,
                 const Ticker::Callback& tick)
    : surface_{&a, &b} {
  const std::vector<bvh::Body> bodies{a.body(), b.body()};
  keys_ = bvh::collide_scene(bodies, nullptr, {}, Rule{}, workers, tick).keys;
  cut_pairs(workers);
  parallel_for(workers, 2, 1, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) {
      part_[i].emplace(*surface_[i], *surface_[1 - i], cuts_[i], i == 0 ? -1 : 1);
    }
  });
}

void Overlay::cut_pairs(int workers) {
  const auto faces_a = static_cast<std::uint32_t>(surface_[0]->rings().faces());
  std::vector<Crossing> all(keys_.size());
  parallel_for(workers, keys_.size(), kPairGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) {
      Crossing& c = all[i];
      c.a = static_cast<std::int32_t>(key_a(keys_[i]));
      c.b = static_cast<std::int32_t>(key_b(keys_[i]) - faces_a);
      // a face with a corner twice is there and back
      if (surface_[0]->rings().is_void(c.a) || surface_[1]->rings().is_void(c.b)) continue;
      c.cut = cut_pair(surface_[0]->triangle(c.a), surface_[1]->triangle(c.b));
    }
  });
  std::erase_if(all, [](const Crossing& c) { return c.cut.is_empty(); });
  crossings_ = std::move(all);
  for (std::uint32_t i = 0; i < crossings_.size(); ++i) {
    const auto& [a, b, cut] = crossings_[i];
    const auto& [tail, head] = cut.at;
    cuts_[0].push_back({a, own_edge(cut.tail, 0), own_edge(cut.head, 0), tail, head, i, false});
    // on the other face it runs the other way
    cuts_[1].push_back({b, own_edge(cut.head, 1), own_edge(cut.tail, 1), head, tail, i, true});
  }
  std::stable_sort(cuts_[1].begin(), cuts_[1].end(),
                   [](const FaceCut& x, const FaceCut& y) { return x.face < y.face; });
}

}  // namespace impinge::solids
