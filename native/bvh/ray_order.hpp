// An order of rays in which neighbours take nearly the same way through a mesh.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bvh/buffer.hpp"
#include "bvh/tree.hpp"

namespace impinge {

// Which sides of a box the ray passes first: a bit for each negative component.
unsigned octant(const double* direction);

// Ids of all rays: by octant, then by where they start or pass the centre of the mesh, then by
// direction.
Buffer<std::int32_t> order_rays(const Frame& frame, const double* origins, const double* directions,
                                std::size_t count, int workers);

}  // namespace impinge
