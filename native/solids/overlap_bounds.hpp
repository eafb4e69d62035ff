// The box around what two solids have in common.
#pragma once

#include "geometry/frame.hpp"
#include "solids/overlay.hpp"

namespace impinge::solids {

// Around all points of the parts in general position. Where faces touch, these may have parts with
// no thickness that the solids do not have in common.
Bounds loose_bounds(const Overlay& overlay);

// Of simple solids, without such parts: inside out when they have no inner points in common.
Bounds tight_bounds(const Overlay& overlay, const PlacedSolid& a, const PlacedSolid& b);

}  // namespace impinge::solids
