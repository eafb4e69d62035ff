// From clusters to colliding pairs: axes, boxes, sort, sweep, pruning, exact test.
#pragma once

#include <cstdint>
#include <vector>

#include "bvh/pair_key.hpp"
#include "cdfc/members.hpp"
#include "cdfc/soup.hpp"
#include "parallel/ticker.hpp"

namespace impinge::cdfc {

struct Query {
  const Soup& soup;
  const Wanted& wanted;
  bool touching = true;
  bool report_duplicates = false;
};

struct Counters {
  // In all clusters: pairs that overlap along the first axis, two axes, all three.
  std::uint64_t sweep_pairs = 0, y_pairs = 0, z_pairs = 0;
  std::uint64_t tests = 0;      // pairs of triangles
  std::uint64_t uncertain = 0;  // of them, not decided in float32
  std::uint64_t star_tests = 0;
  // As if done one after the other.
  double pca_seconds = 0, boxes_seconds = 0, sort_seconds = 0, collect_seconds = 0,
         intersect_seconds = 0;
};

// Keys of all colliding pairs, sorted.
std::vector<Key> collide(const Query& query, const Members& members, int workers,
                         const Ticker::Callback& tick, Counters& counters);

}  // namespace impinge::cdfc
