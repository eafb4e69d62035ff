// What the programs with CGAL's exact predicates share: its points and triangles, and poses.
#pragma once

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <cstdint>
#include <vector>

#include "question.hpp"

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Triangle = Kernel::Triangle_3;

inline std::vector<Point> points_of(const Surface& mesh) {
  std::vector<Point> points;
  points.reserve(mesh.vertex_count);
  for (std::int64_t v = 0; v < mesh.vertex_count; ++v) {
    const double* p = mesh.vertices + 3 * v;
    points.emplace_back(p[0], p[1], p[2]);
  }
  return points;
}

// The order of operations is that of impinge, so that both see the same coordinates.
inline void move(const Surface& mesh, const double* pose, std::vector<Point>& points) {
  points.resize(mesh.vertex_count);
  for (std::int64_t v = 0; v < mesh.vertex_count; ++v) {
    const double* p = mesh.vertices + 3 * v;
    double q[3];
    for (int k = 0; k < 3; ++k) {
      const double* row = pose + 4 * k;
      q[k] = ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + row[3];
    }
    points[v] = Point(q[0], q[1], q[2]);
  }
}

inline Triangle triangle(const std::vector<Point>& points, const Face& face) {
  return {points[face[0]], points[face[1]], points[face[2]]};
}
