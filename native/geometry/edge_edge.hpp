// How far the insides of two edges are apart, in float64.
#pragma once

#include "geometry/vertex_face.hpp"

namespace impinge {

// Only inner points of both: ends belong to vertex_edge, and so do parallel edges. take(squared, p,
// along_p, q, along_q) gets the points p + along_p and q + along_q.
template <class Closest>
void edge_edge(const TriangleEdge& a, const TriangleEdge& b, Closest& closest) {
  const Vector normal = cross(a.along, b.along), w = from_to(a.from, b.from);
  const double normal2 = dot(normal, normal);
  const double s = dot(cross(w, b.along), normal), t = dot(cross(w, a.along), normal);
  if (!(s > 0 && t > 0 && s < normal2 && t < normal2)) return;
  const Vector along_a = scaled(a.along, s / normal2), along_b = scaled(b.along, t / normal2);
  const Vector r = sum(w, difference(along_b, along_a));
  const double squared = dot(r, r);
  if (closest.beaten_by(squared)) closest.take(squared, a.from, along_a, b.from, along_b);
}

}  // namespace impinge
