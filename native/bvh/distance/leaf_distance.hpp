// The triangles of one leaf against those of another: ever sharper bounds in float32, and float64
// for the few that are left.
#pragma once

#include "bvh/distance/best_pair.hpp"

namespace impinge::bvh {

// The pair that looks closest, for a better bound.
void probe_leaves(const Bodies& bodies, Item leaves, BestPair& best);

// All pairs. A direction that is known already comes first and settles most.
void compare_leaves(const Bodies& bodies, Item leaves, const Direction& known, BestPair& best);

}  // namespace impinge::bvh
