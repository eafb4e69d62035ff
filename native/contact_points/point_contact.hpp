// A contact joins two points on the surfaces of two bodies, or of one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "geometry/vec.hpp"

namespace impinge::contact_points {

// Each point is a weighted sum of vertices, four in all: a vertex and the corners of a face, or the
// ends of two edges. Weights are positive for the first point and negative for the second.
struct PointContact {
  std::int32_t body[2];
  std::int32_t vertex[4], owner[4];
  double coefficient[4];
  double point[2][3];
  Vector normal;  // of the second surface, length one
  double weight;
  std::int32_t face;  // of the second body, -1 for two edges
  bool suspicious;    // the partner may be the body's own far side
};

// A vertex of body a and the point (1 - u - v, u, v) of a face of body b, whose corners are given.
inline PointContact vertex_face_contact(std::int32_t a, std::int32_t vertex, const double* at,
                                        std::int32_t b, std::int32_t face,
                                        const std::int32_t* corners, const Triangle& triangle,
                                        double u, double v) {
  PointContact c{};
  c.body[0] = c.owner[0] = a;
  c.body[1] = b;
  c.vertex[0] = vertex;
  c.coefficient[0] = 1;
  c.face = face;
  std::copy_n(at, 3, c.point[0]);
  // a hit within the tolerance is moved onto the face
  double share[3] = {std::max(1 - u - v, 0.0), std::max(u, 0.0), std::max(v, 0.0)};
  const double sum = share[0] + share[1] + share[2];
  for (int i = 0; i < 3; ++i) {
    share[i] /= sum;
    c.owner[i + 1] = b;
    c.vertex[i + 1] = corners[i];
    c.coefficient[i + 1] = -share[i];
  }
  for (int k = 0; k < 3; ++k) {
    c.point[1][k] =
        share[0] * triangle[0][k] + share[1] * triangle[1][k] + share[2] * triangle[2][k];
  }
  return c;
}

}  // namespace impinge::contact_points
