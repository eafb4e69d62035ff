#include "bvh/ray_hits.hpp"

#include <algorithm>

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

RayHits without_misses(const Buffer<Hit>& best) {
  RayHits hits(best.size());
  hits.count = 0;
  for (const Hit& hit : best) {
    hits.ray[hits.count] = hit.ray;
    hits.face[hits.count] = hit.face;
    hits.t[hits.count] = hit.t;
    hits.count += hit.face >= 0;
  }
  return hits;
}

}  // namespace impinge
