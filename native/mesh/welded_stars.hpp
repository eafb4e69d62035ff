// The stars of a mesh in which equal vertices count as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/merged_vertices.hpp"
#include "mesh/stars.hpp"

namespace impinge {

// Of a mesh that is checked against itself. Never changes, so that queries may share it.
class WeldedStars {
 public:
  WeldedStars(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
              std::size_t face_count, int workers)
      : vertex_count_(vertex_count),
        merged_(vertices, vertex_count, workers),
        corners_(merged_.corners(faces, face_count, vertex_count)),
        stars_(corners_.data(), face_count, vertex_count) {}

  // Whether it is as good for vertices that have moved.
  bool holds(const double* vertices) const { return merged_.holds(vertices); }

  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t face_count() const { return corners_.size() / 3; }
  // (m, 3) vertices of each face, the same id for equal coordinates.
  const std::int32_t* corners() const { return corners_.data(); }
  const Stars& stars() const { return stars_; }

 private:
  std::size_t vertex_count_;
  MergedVertices merged_;
  std::vector<std::int32_t> corners_;
  Stars stars_;
};

}  // namespace impinge
