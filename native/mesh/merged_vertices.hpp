// Vertices that lie exactly on an earlier one: they get its id, so that a seam is no boundary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

class MergedVertices {
 public:
  MergedVertices() = default;
  MergedVertices(const double* vertices, std::size_t n, int workers);

  bool empty() const { return merged_.empty(); }
  // Whether what was one point is one still, for vertices that have moved.
  bool holds(const double* vertices) const;
  // Of n vertices, the same for equal ones.
  std::vector<std::int32_t> ids(std::size_t n) const;
  // The ids of the corners of faces (m, 3).
  std::vector<std::int32_t> corners(const std::int32_t* faces, std::size_t m, std::size_t n) const;
  std::size_t bytes() const { return merged_.size() * sizeof(Merged); }

 private:
  struct Merged {
    std::int32_t vertex, into;
  };
  std::vector<Merged> merged_;
};

}  // namespace impinge
