// How far a point is from the edges and the inside of a triangle, in float64.
#pragma once

#include <cmath>
#include <utility>

#include "geometry/vec.hpp"

namespace impinge {

// Differences in this range can be multiplied six times without overflow, and what underflows does
// not matter.
constexpr double kLeastExtent = 1e-40, kMostExtent = 1e40;

inline Vector sum(const Vector& u, const Vector& v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }
inline Vector difference(const Vector& u, const Vector& v) {
  return {u.x - v.x, u.y - v.y, u.z - v.z};
}

inline void shift(const double* from, const Vector& by, double* to) {
  to[0] = from[0] + by.x;
  to[1] = from[1] + by.y;
  to[2] = from[2] + by.z;
}

// The ends in lexicographic order, so that both faces of an edge see the same one.
struct TriangleEdge {
  const double* from;
  const double* to;
  Vector along;
  double length2;

  TriangleEdge() = default;
  TriangleEdge(const double* p, const double* q) : from(p), to(q) {
    if (before(q, p)) std::swap(from, to);
    along = from_to(from, to);
    length2 = dot(along, along);
  }
};

struct TriangleFeatures {
  const Triangle& corners;
  TriangleEdge edges[3];
  Vector u, v, normal;
  double normal2;

  explicit TriangleFeatures(const Triangle& t)
      : corners(t), u(from_to(t[0], t[1])), v(from_to(t[0], t[2])), normal(cross(u, v)) {
    normal2 = dot(normal, normal);
    for (int i = 0; i < 3; ++i) edges[i] = TriangleEdge(t[i], t[(i + 1) % 3]);
  }
};

// `Closest` keeps the closest points so far: beaten_by(squared), and take(squared, side, p, q,
// foot) for the points p and q + foot. `side` is handed on.
template <class Closest>
void vertex_edge(const double* p, const TriangleEdge& edge, int side, Closest& closest) {
  const Vector w = from_to(edge.from, p);
  const double along = dot(w, edge.along);
  if (along >= edge.length2 && edge.length2 > 0) {
    const Vector r = from_to(edge.to, p);
    const double squared = dot(r, r);
    if (closest.beaten_by(squared)) closest.take(squared, side, p, edge.to, {0, 0, 0});
    return;
  }
  const Vector foot = along > 0 ? scaled(edge.along, along / edge.length2) : Vector{0, 0, 0};
  const Vector r = difference(w, foot);
  const double squared = dot(r, r);
  if (closest.beaten_by(squared)) closest.take(squared, side, p, edge.from, foot);
}

// Only where the foot is strictly inside. Its parameters come from cross products, not from dot
// products: their error then grows with the flatness of the triangle, not with its square, and
// enters the distance squared.
template <class Closest>
void vertex_inside(const double* p, const TriangleFeatures& face, int side, Closest& closest) {
  const Vector w = from_to(face.corners[0], p);
  const double s = dot(cross(w, face.v), face.normal), t = dot(cross(face.u, w), face.normal);
  if (face.normal2 > 0 && s > 0 && t > 0 && s + t < face.normal2) {
    const Vector foot = sum(scaled(face.u, s / face.normal2), scaled(face.v, t / face.normal2));
    const Vector r = difference(w, foot);
    const double squared = dot(r, r);
    if (closest.beaten_by(squared)) closest.take(squared, side, p, face.corners[0], foot);
  }
}

template <class Closest>
void vertex_face(const double* p, const TriangleFeatures& face, int side, Closest& closest) {
  vertex_inside(p, face, side, closest);
  for (const TriangleEdge& edge : face.edges) vertex_edge(p, edge, side, closest);
}

}  // namespace impinge
