// What both programs share: arrays from Python, poses, and answers that Python copies.
#pragma once

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Triangle = Kernel::Triangle_3;

using Face = std::array<std::int32_t, 3>;
using Pair = std::array<std::int32_t, 2>;

// Vertices and faces that belong to Python and outlive the question.
struct Surface {
  const double* vertices;
  std::int64_t vertex_count;
  const Face* faces;
  std::int64_t face_count;

  Point point(std::int64_t v) const {
    return {vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]};
  }
};

inline std::vector<Point> points_of(const Surface& mesh) {
  std::vector<Point> points;
  points.reserve(mesh.vertex_count);
  for (std::int64_t v = 0; v < mesh.vertex_count; ++v) points.push_back(mesh.point(v));
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

// Something prepared that can be asked again and again.
struct Question {
  std::vector<Pair> pairs;
  virtual ~Question() = default;
};

// Not inline, or they would not be exported: a program is one file.
extern "C" {
const Pair* question_pairs(const Question* question) { return question->pairs.data(); }
void question_free(Question* question) { delete question; }
}
