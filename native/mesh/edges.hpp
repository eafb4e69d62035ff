// The edges of a mesh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

struct Edges {
  std::vector<std::int32_t> edges;  // (size, 2) vertices; of equal ones the first
  std::vector<std::int32_t> face;   // the last that has the edge
};

// Each edge of `faces` (m, 3) once, in the order in which it is met last when faces are walked
// around one after the other; equal vertices (n, 3) count as one. Edges of length zero are edges.
// Linear time for meshes with few faces around each vertex.
Edges edges_of(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers);

}  // namespace impinge
