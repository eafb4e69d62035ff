// How two solids lie to each other. Exact for the float64 coordinates in their places.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ticker.hpp"
#include "pairs/broad_phase.hpp"
#include "solids/piece_kinds.hpp"
#include "solids/solid.hpp"

namespace impinge::solids {

Relation relation_of(const PlacedSolid& a, const PlacedSolid& b, int workers,
                     const Ticker::Callback& tick);

// Of b in each of the poses (n, 4, 4), none of them flat, to a at rest.
void relations_of_poses(const Solid& a, const Solid& b, const double* poses, std::size_t n,
                        int workers, const Ticker::Callback& tick, Relation* relations);

// Of all pairs of solids in their poses (n, 4, 4) whose boxes meet; of `only`, which are sorted,
// unless that is null.
struct PairRelations {
  std::vector<BodyPair> pairs;
  std::vector<Relation> relations;
};
PairRelations relations_of_pairs(const std::vector<const Solid*>& solids, const double* poses,
                                 const std::vector<BodyPair>* only, int workers,
                                 const Ticker::Callback& tick);

}  // namespace impinge::solids
