// The parts of a face that bound the solid, when other faces cut it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/tree/tree.hpp"
#include "geometry/vec.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

// Triangles in float64 that cover what of the face in a slot has solid on one side only. `cutters`
// are all faces that meet it along a segment or an area. Where the parts end is
// rounded; which of them bound the solid is exact for a point of each. Parts so small that rounding
// decides about them are left out.
std::vector<Triangle> boundary_pieces(const bvh::Tree& tree, std::size_t slot,
                                      std::span<const std::int32_t> cutters, Sense sense, int axis);

}  // namespace impinge::solids
