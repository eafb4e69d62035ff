// The exact intersection of two triangles as a list of corners, each named by the features of the
// triangles that carry it, so that equal corners of different pairs can be recognised.
#pragma once

#include "geometry/kind.hpp"
#include "geometry/vec.hpp"

namespace impinge {

// A vertex is `edge[0]`; otherwise the point where `edge` meets the edge or the face `other`.
struct Site {
  enum class Type : std::uint8_t { vertex, edge_edge, edge_face } type;
  const double* edge[2];
  const double* other[3];
};

inline Site vertex_site(const double* v) { return {Site::Type::vertex, {v, v}, {}}; }

inline Site edge_edge_site(const double* a, const double* b, const double* c, const double* d) {
  return {Site::Type::edge_edge, {a, b}, {c, d, d}};
}

inline Site edge_face_site(const double* a, const double* b, const Triangle& face) {
  return {Site::Type::edge_face, {a, b}, {face[0], face[1], face[2]}};
}

// Corners of the intersection: 1 of a point, 2 of a segment, up to 6 of a coplanar overlap, these
// counter-clockwise about the normal of the first triangle. Sites point into the two triangles.
struct Meeting {
  Kind kind = Kind::none;
  int size = 0;
  Site site[6];

  void add(const Site& s) { site[size++] = s; }
};

Meeting meet(const Triangle& a, const Triangle& b);

}  // namespace impinge
