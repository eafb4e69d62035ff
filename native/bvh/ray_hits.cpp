#include "bvh/ray_hits.hpp"

#include <algorithm>

#include "parallel/pool.hpp"

namespace impinge {

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

RayHits without_misses(const Buffer<Hit>& best, int workers) {
  constexpr std::size_t kGrain = 8192;
  const std::size_t n = best.size(), grains = (n + kGrain - 1) / kGrain;
  const auto is_hit = [](const Hit& hit) { return hit.face >= 0; };
  const auto each_grain = [&](auto f) {
    parallel_for(workers, grains, 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b)
        f(b, best.data() + b * kGrain, best.data() + std::min(n, (b + 1) * kGrain));
    });
  };
  std::vector<std::size_t> start(grains + 1, 0);
  each_grain([&](std::size_t g, const Hit* begin, const Hit* end) {
    start[g + 1] = static_cast<std::size_t>(std::count_if(begin, end, is_hit));
  });
  for (std::size_t g = 0; g < grains; ++g) start[g + 1] += start[g];
  RayHits hits(start[grains]);
  each_grain([&](std::size_t g, const Hit* begin, const Hit* end) {
    std::size_t at = start[g];
    for (const Hit* hit = begin; hit != end; ++hit) {
      if (!is_hit(*hit)) continue;
      hits.ray[at] = hit->ray;
      hits.face[at] = hit->face;
      hits.t[at++] = hit->t;
    }
  });
  return hits;
}

}  // namespace impinge
