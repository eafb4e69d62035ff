// The faces of one surface that meet in more than what they share.
#pragma once

#include <vector>

#include "bvh/pair/collide.hpp"

namespace impinge::solids {

// All of them, or at most one.
inline Buffer<Key> own_pairs(const bvh::Body& body, bool first, int workers) {
  const std::vector<bvh::Body> bodies{body};
  const Rule rule{.touching = true, .report_duplicates = true, .first = first};
  const Ticker::Callback quiet;
  return bvh::collide_scene(bodies, nullptr, {0}, rule, workers, quiet).keys;
}

}  // namespace impinge::solids
