#include "bvh/ray/ray_hits.hpp"

#include <algorithm>
#include <atomic>

#include "base/pool.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kGrain = 8192;

}  // namespace

RayHits gathered(const std::vector<Buffer<Hit>>& parts, std::size_t rays) {
  std::vector<std::size_t> start(rays + 1, 0);
  for (const Buffer<Hit>& part : parts) {
    for (const Hit& hit : part) ++start[std::size_t(hit.ray) + 1];
  }
  for (std::size_t i = 0; i < rays; ++i) start[i + 1] += start[i];
  Buffer<Hit> sorted;
  sorted.resize(start[rays]);
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (const Buffer<Hit>& part : parts) {
    for (const Hit& hit : part) sorted[next[std::size_t(hit.ray)]++] = hit;
  }
  RayHits hits(sorted.size());
  for (std::size_t i = 0; i < rays; ++i) {
    std::sort(sorted.data() + start[i], sorted.data() + start[i + 1],
              [](const Hit& p, const Hit& q) { return p.t != q.t ? p.t < q.t : p.face < q.face; });
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    hits.ray[i] = sorted[i].ray;
    hits.face[i] = sorted[i].face;
    hits.t[i] = sorted[i].t;
  }
  return hits;
}

void drop_misses(RayHits& hits, int workers) {
  std::atomic<bool> any{false};
  parallel_for(workers, hits.count, kGrain, [&](std::size_t i, std::size_t end, int) {
    std::int32_t missed = 0;
    for (; i < end; ++i) {
      hits.ray[i] = static_cast<std::int32_t>(i);
      missed |= hits.face[i];  // negative once one is
    }
    if (missed < 0) any.store(true, std::memory_order_relaxed);
  });
  if (!any.load(std::memory_order_relaxed)) return;
  const std::size_t rays = hits.count;
  hits.count = 0;
  for (std::size_t i = 0; i < rays; ++i) {
    const std::int32_t face = hits.face[i];
    hits.ray[hits.count] = static_cast<std::int32_t>(i);
    hits.face[hits.count] = face;
    hits.t[hits.count] = hits.t[i];
    hits.count += face >= 0;
  }
}

}  // namespace impinge::bvh
