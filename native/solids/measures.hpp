// Volume, centroid and bounds of what two solids have in common.
#pragma once

#include "geometry/frame.hpp"
#include "solids/overlay.hpp"

namespace impinge::solids {

struct Measures {
  double volume = 0;
  double centroid[3];
  Bounds bounds = kNoBounds;  // inside out when there is nothing
};

// By the divergence theorem, from the middle of the bounds: the boundary is a sum of triangles, and
// each spans a tetrahedron with that point. All sums are compensated.
Measures measures_of(const Overlay& overlay, int workers);

}  // namespace impinge::solids
