// What two triangles of one mesh share: corners by coordinates, and the fan around each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/stars.hpp"

namespace impinge::cdfc {

// Of a mesh that is checked against itself. Never changes, so that queries may share it.
class Fans {
 public:
  Fans(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
       std::size_t face_count, int workers);

  // Whether it is as good for vertices that have moved: what was one point is one still.
  bool holds(const double* vertices) const;

  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t face_count() const { return corners_.size() / 3; }
  // (m, 3) vertices of each face, the same id for equal coordinates.
  const std::int32_t* corners() const { return corners_.data(); }
  const Stars& stars() const { return stars_; }

 private:
  struct Merged {
    std::int32_t vertex, into;
  };
  static std::vector<Merged> merged(const double* vertices, std::size_t n, int workers);
  static std::vector<std::int32_t> welded(const std::int32_t* faces, std::size_t face_count,
                                          std::size_t vertex_count,
                                          const std::vector<Merged>& merged);

  std::size_t vertex_count_;
  std::vector<Merged> merged_;
  std::vector<std::int32_t> corners_;
  Stars stars_;
};

}  // namespace impinge::cdfc
