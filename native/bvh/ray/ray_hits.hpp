// Hits of many rays as arrays, sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/block.hpp"
#include "base/buffer.hpp"

namespace impinge::bvh {

struct Hit {
  std::int32_t ray, face;
  double t;
};

struct RayHits {
  std::size_t count;
  Block<std::int32_t> ray, face;
  Block<double> t;

  explicit RayHits(std::size_t n)
      : count(n),
        ray(make_block<std::int32_t>(n)),
        face(make_block<std::int32_t>(n)),
        t(make_block<double>(n)) {}
};

// Of the parts all hits by ray, t and face.
RayHits gathered(const std::vector<Buffer<Hit>>& parts, std::size_t rays);

// Row i holds what ray i hits, with face -1 for nothing: names the rays and drops these rows.
void drop_misses(RayHits& hits, int workers);

}  // namespace impinge::bvh
