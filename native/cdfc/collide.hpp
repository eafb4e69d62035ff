// From clusters to colliding pairs: axes, boxes, sort, sweep, pruning, exact test.
#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "cdfc/members.hpp"
#include "pairs/soup_pairs.hpp"

namespace impinge::cdfc {

struct Counters {
  // In all clusters: pairs that overlap along the first axis, two axes, all three.
  std::uint64_t sweep_pairs = 0, y_pairs = 0, z_pairs = 0;
  Tally tally;
  // As if done one after the other.
  double pca_seconds = 0, boxes_seconds = 0, sort_seconds = 0, collect_seconds = 0,
         intersect_seconds = 0;
};

// Keys of all colliding pairs, sorted.
Buffer<Key> collide(const SoupQuery& query, const Members& members, int workers,
                    const Ticker::Callback& tick, Counters& counters);

}  // namespace impinge::cdfc
