// What jobs ask of their trees, made by all threads before each begins with its own.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "bvh/pair/leaf_pairs.hpp"
#include "pairs/rule.hpp"

namespace impinge::bvh {

// `known` holds what is known of bodies that are asked about themselves, for as long as the jobs
// are. Returns how many of their sheets are clear.
std::uint64_t make_ready(std::vector<Job>& jobs, const Rule& rule, int workers,
                         std::deque<ClearSheets>& known);

}  // namespace impinge::bvh
