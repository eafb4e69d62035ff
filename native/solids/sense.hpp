// Whether a closed mesh is inside out.
#pragma once

#include "bvh/tree/tree.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

// `turned` when the winding number is somewhere below 0 and nowhere above it. That is decided by
// the volume, which must be negative, and next to one corner of each shell, the last in
// lexicographic order. Where faces meet in common edges and corners only, nothing else is there to
// see: the winding number on one side of a face is that on the same side of its neighbour.
Sense sense_of(const bvh::Tree& tree);

// The sign of the volume of a closed mesh, exactly.
int volume_sign(const bvh::Tree& tree);

}  // namespace impinge::solids
