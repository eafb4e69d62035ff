// What queries on box trees count beside what all do.
#pragma once

#include "bindings/pairs.hpp"
#include "bvh/pair/leaf_pairs.hpp"

namespace impinge {

inline void count_own(const bvh::Counters& counters, Counts& d) {
  d["clear_sheets"] = counters.clear_sheets;
  d["joined"] = counters.joined;
  d["stars"] = counters.stars;
  d["stars_open"] = counters.stars_open;
}

}  // namespace impinge
