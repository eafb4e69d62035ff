// How two solids lie to each other, what they have in common, and how deep they overlap.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ticker.hpp"
#include "depth/bracket.hpp"
#include "depth/facets.hpp"
#include "depth/way_out.hpp"
#include "pairs/broad_phase.hpp"
#include "solids/measures.hpp"
#include "solids/piece_kinds.hpp"
#include "solids/solid.hpp"

namespace impinge::depth {

struct Penetration {
  solids::Relation relation = solids::Relation::apart;
  double lower = 0, upper = 0;  // bounds of the depth
  double point[3];              // a common point that is as deep as the lower one
  solids::Measures measures;    // of solids whose shells do not overlap; else the volume is NaN
  // What holds but for the limit, of solids that overlap deeper than it.
  enum Within : unsigned { a_in_b = 1, b_in_a = 2, same_surface = 4 };
  unsigned within = 0;
  bool is_of_facets = false;  // no deeper than the limit and the sagittas, when those are given
  std::vector<Way> ways;      // which may lead b out of a

  bool is_overlap() const {
    return relation != solids::Relation::apart && relation != solids::Relation::touching;
  }
};

// Of solids at rest.
Penetration penetration_of(const solids::Solid& a, const solids::Solid& b, const Goal& goal,
                           const Sagittas& sagittas, int workers, const Ticker::Callback& tick);

// The same of solids that are not many decades larger or smaller than one.
Penetration penetration_near_one(const solids::Solid& a, const solids::Solid& b, const Goal& goal,
                                 const Sagittas& sagittas, int workers,
                                 const Ticker::Callback& tick);

// Of pairs of them; the goal is that of all but for the limit. The sagittas of the faces of each
// solid, or none at all.
std::vector<Penetration> penetrations_of(const std::vector<const solids::Solid*>& solids,
                                         const std::vector<const double*>& sagittas,
                                         const std::vector<BodyPair>& pairs, const double* limits,
                                         const Goal& goal, int workers,
                                         const Ticker::Callback& tick);

}  // namespace impinge::depth
