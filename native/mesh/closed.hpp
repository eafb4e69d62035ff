// Whether a mesh has an inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mesh/corners.hpp"

namespace impinge {

// Whether every edge of `faces` (m, 3) is used exactly twice, once in each direction, when equal
// vertices (n, 3) count as one. Faces with two equal corners have no edges; none at all is not
// closed. Linear time for meshes with few faces around each vertex.
bool is_closed(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers);

// How many edges of m faces, with ids below n that are the same for equal vertices, are not used
// equally often in both directions. Without any the faces have a winding number around every point
// that is not on them, and space is cut into what they enclose how often.
std::size_t count_open_edges(std::span<const Corners8> faces, std::size_t m, std::size_t n);

}  // namespace impinge
