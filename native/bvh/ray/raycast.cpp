#include "bvh/ray/raycast.hpp"

#include <algorithm>
#include <vector>

#include "base/pool.hpp"
#include "bvh/ray/ray_caster.hpp"
#include "bvh/ray/ray_order.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kChunk = 256;  // rays of one task

template <RayMode kMode>
RayHits cast_all(const Tree& tree, const double* origins, const double* directions,
                 std::size_t count, RayLimits limits, int workers, const Ticker::Callback& tick) {
  const Buffer<KeyedRay> order = order_rays(tree.frame(), origins, directions, count, workers);
  if (tree.empty()) return RayHits(0);
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  constexpr bool kAll = kMode == RayMode::all;
  RayHits best(kAll ? 0 : count);
  std::vector<Buffer<Hit>> all(kAll ? chunks : 0);
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      RayCaster<kMode> caster(tree, limits, {&best, kAll ? &all[b] : nullptr});
      caster.cast(order.data() + b * kChunk, std::min(count - b * kChunk, kChunk), origins,
                  directions);
      ticker.done(worker);
    }
  });
  if (kAll) return gathered(all, count);
  drop_misses(best, workers);
  return best;
}

}  // namespace

RayHits raycast(const Tree& tree, const double* origins, const double* directions,
                std::size_t count, RayMode mode, RayLimits limits, int workers,
                const Ticker::Callback& tick) {
  if (count == 0) return RayHits(0);
  const auto cast = mode == RayMode::closest ? cast_all<RayMode::closest>
                    : mode == RayMode::any   ? cast_all<RayMode::any>
                                             : cast_all<RayMode::all>;
  return cast(tree, origins, directions, count, limits, workers, tick);
}

}  // namespace impinge::bvh
