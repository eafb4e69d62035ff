// Whether a mesh has an inside.
#pragma once

#include <cstddef>
#include <cstdint>

namespace impinge {

// Whether every edge of `faces` (m, 3) is used exactly twice, once in each direction, when equal
// vertices (n, 3) count as one. Faces with two equal corners have no edges; none at all is not
// closed. Linear time for meshes with few faces around each vertex.
bool is_closed(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers);

}  // namespace impinge
