// How two faces of different solids cross, in general position.
//
// Solid B is moved by (e, e², e³) with an infinitely small e: then no vertex is on a plane of the
// other solid and no two edges meet, so that faces cross in segments with two ends or not at all,
// each end being an edge of one in the inside of the other. All signs are those of the moved
// solids.
//  - orient3d of three corners of B and a vertex of A grows by n s, for the normal n of the face
//  and
//    the way s of B; of three corners of A and a vertex of B it falls by n s.
//  - orient3d of an edge u v of A and one p q of B grows by ((v - u) x (q - p)) s. That is zero for
//    parallel edges, but then u and v are on the same side of a face with the edge p q, and nobody
//    asks.
// The volume of what two solids have in common changes without jumps when one of them is moved, so
// that it is the same as that of the moved ones.
#pragma once

#include <cstdint>

#include "geometry/vec.hpp"

namespace impinge::solids {

// The segment from `tail` to `head` runs along normal(a) x normal(b): on face a, solid B is on the
// left of it.
struct PairCut {
  // Which edge ends the segment there: 0 to 2 from that corner of a to the next, 3 to 5 of b. At
  // the tail an edge of a leaves B or one of b enters A, at the head it is the other way round.
  std::int8_t tail = -1, head = -1;
  double at[2][3];

  bool is_empty() const { return tail < 0; }
};

// Counter-clockwise from outside. Of a face without area only the edges count: two of them pass the
// other face, or none, and the segment between is a point in the end.
PairCut cut_pair(const Triangle& a, const Triangle& b);

}  // namespace impinge::solids
