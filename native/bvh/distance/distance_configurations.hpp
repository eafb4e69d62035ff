// Distances of the bodies of a scene in many configurations.
#pragma once

#include <cstddef>
#include <vector>

#include "bvh/distance/distance.hpp"
#include "bvh/pair/configurations.hpp"

namespace impinge::bvh {

struct ConfigurationDistances : PairDistances {
  std::vector<std::size_t> run_ends;  // of the pairs of each configuration
};

// The pairs that are within `upper_bound` in each.
ConfigurationDistances distance_configurations(const Asked& asked, double upper_bound, int workers,
                                               const Ticker::Callback& tick);

}  // namespace impinge::bvh
