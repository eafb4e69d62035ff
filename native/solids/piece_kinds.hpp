// What kinds of pieces the boundaries of two solids have, and what follows for the solids.
//
// Cut by each other, the boundaries fall into pieces. Each piece of the boundary of A is inside B,
// outside B, or also one of the boundary of B, with the solids on the same side of it or not.
//  - The inner points of A and B have some in common if and only if a piece of one is inside the
//    other, or one of both has them on the same side. For the common inner points, if there are
//    any, are bounded: take a point of their boundary that is on no edge. It is on the boundary of
//    A, say. If it is not on that of B, it is inside B. If it is, both solids are next to it on the
//    side of the common points. The other way around it is plain.
//  - A is within B if and only if A has no inner points in common with the outside of B, which is
//    the same question for a solid with the boundary of B turned around: no piece of A is outside
//    B, none of B is inside A, and none of both has them on opposite sides.
#pragma once

#include <cstdint>

namespace impinge::solids {

enum class Relation : std::int8_t { apart, touching, overlapping, a_inside, b_inside, equal };

struct PieceKinds {
  enum Kind : unsigned {
    a_inside = 1,   // of the boundary of A, inside B
    a_outside = 2,  // and outside
    b_inside = 4,
    b_outside = 8,
    same_side = 16,  // of both
    opposite = 32,
    crossing = a_inside | a_outside | b_inside | b_outside,
  };
  unsigned found = 0;

  void add(unsigned kinds) { found |= kinds; }
  void add(PieceKinds other) { found |= other.found; }
  bool has(unsigned kinds) const { return (found & kinds) != 0; }

  bool overlap() const { return has(a_inside | b_inside | same_side); }
  bool a_within_b() const { return !has(a_outside | b_inside | opposite); }
  bool b_within_a() const { return !has(b_outside | a_inside | opposite); }
  // Whether no other piece can change the answer.
  bool is_settled() const { return overlap() && !a_within_b() && !b_within_a(); }

  // When all kinds are known; `touch`: whether the boundaries have a point in common.
  Relation relation(bool touch) const {
    if (a_within_b() && b_within_a()) return Relation::equal;
    if (a_within_b()) return Relation::a_inside;
    if (b_within_a()) return Relation::b_inside;
    if (overlap()) return Relation::overlapping;
    return touch ? Relation::touching : Relation::apart;
  }
};

}  // namespace impinge::solids
