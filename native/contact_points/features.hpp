// The closest features of two surfaces: a vertex and a face, an edge or a vertex; two edges.
#pragma once

#include <cstdint>

#include "contact_points/skin.hpp"
#include "geometry/vec.hpp"

namespace impinge::contact_points {

// Where a point is closest to a triangle.
struct Foot {
  double share[3];   // of the corners, none negative, with a sum of one
  double squared;    // distance
  unsigned corners;  // bit for each corner that has a share: three for the inside of the face
};

Foot foot_on(const Triangle& triangle, const double* p);

// Inner points of two edges that are closest to each other.
struct Bridge {
  double s, t;     // along the first and the second edge, both between 0 and 1
  double squared;  // distance
};

// False where the closest points are ends, or the edges are parallel: vertices settle that.
bool bridge_of(const double* a0, const double* a1, const double* b0, const double* b1,
               Bridge& bridge);

// Whether the feature of the face that the foot of p is on is the closest to p of all faces around
// it, and this the first of these faces. Then it is a feature pair of its own; else a face beside
// it is closer. `from` is the vertex p of the same skin, or -1.
bool is_closest_around(const Skin& skin, std::int32_t face, const Foot& foot, const double* p,
                       std::int32_t from);

// Whether no other feature of the faces around a vertex is closer to p.
bool is_closest_vertex(const Skin& skin, std::int32_t vertex, const double* p, std::int32_t from);

// Outward normals of length one; zero where there is no area.
Vector normal_at(const Skin& skin, std::int32_t face, const Foot& foot);
Vector edge_normal(const Skin& skin, std::int32_t from, std::int32_t to);

}  // namespace impinge::contact_points
