// The vertex of a mesh that is farthest along a direction.
#pragma once

#include "bvh/tree/tree.hpp"
#include "geometry/vec.hpp"

namespace impinge::depth {

// Of the vertices that faces use; the mesh has a face.
const double* farthest_vertex(const bvh::Tree& tree, const Vector& along);

}  // namespace impinge::depth
