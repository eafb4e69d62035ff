// The winding numbers around a point of a surface.
//
// Near a point p the faces on which it is cut space into sectors: cones with their tip at p, or, on
// a small sphere around p, the cells between arcs of great circles, one arc for each face. In each
// of them the winding number is one, and one ray from there counts it.
//
// A sector is named by three vectors that are a basis: q = u + d v + d² w with an infinitely small
// d. A linear form of q has the sign of the first of its values for u, v, w that is not zero. The
// ray starts at p + t q, with a t that is smaller than all else, and runs along the direction r of
// `SkewRay`, whose e is smaller than d. Then
//  - a face without p on it is crossed by all of these rays or by none, those from p itself: in the
//    plane of p it is not met, and otherwise no turn is zero;
//  - a face with p on it is crossed when the ray goes through its plane, n·q and n·r having
//  opposite
//    signs, on the inner side of each of its edges through p: det(q, r, edge) having the sign of
//    n·r. This determinant is a sum of products of d^i e^j with the determinants of the parts of q
//    and r, the largest first; not all of them are zero, as both are a basis and the edge is not
//    zero.
//
// Every sector is found. On the sphere a cell has a piece of an arc on its rim, up to where this
// arc ends or another one ends on it or crosses it; if there is no such place it is a whole circle.
// So it is enough to look on both sides of each arc, next to each end of an arc that is on it and
// to each crossing, both ways along the arc. More is done than that, which does no harm, since any
// basis is a sector. Ends are directions to corners; crossings are products of normals.
#pragma once

#include <functional>
#include <vector>

#include "geometry/skew_ray.hpp"
#include "solids/face_at.hpp"

namespace impinge::solids {

// Calls `visit` with the winding number of each sector, of some more than once, until it answers
// false. `faces` are all those with the start of the ray on them, and there is one; `others` is the
// sum of the crossings of all other faces.
void for_each_sector(const SkewRay& ray, const std::vector<FaceAt>& faces, int others,
                     const std::function<bool(int)>& visit);

// The winding numbers on both sides of one of these faces, next to its edge from the start of the
// ray, its first corner, to its second.
struct BothSides {
  int front, back;  // where the normal points to, and where it comes from
};
BothSides windings_beside(const SkewRay& ray, const std::vector<FaceAt>& faces, int others,
                          const FaceAt& face);

}  // namespace impinge::solids
