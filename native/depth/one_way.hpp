// Whether a large part of a boundary faces one way, as faces_one_way tells of a few faces.
#pragma once

#include <cstddef>

#include "bvh/tree/tree.hpp"

namespace impinge::depth {

// Whether all faces within reach of a point, and some others, have normals on one side of a plane
// through zero. False when no such plane is found, or when there are more than so many faces.
bool boundary_is_one_way(const bvh::Tree& tree, const double* point, double reach,
                         std::size_t most_faces);

}  // namespace impinge::depth
