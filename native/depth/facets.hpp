// Whether an overlap is no deeper than what facets add to a round surface, or take off it.
#pragma once

#include "depth/distance_to.hpp"
#include "solids/overlay.hpp"

namespace impinge::depth {

// The sagittas of the faces of two meshes; null when nobody asks.
struct Sagittas {
  const double* a = nullptr;
  const double* b = nullptr;
};

// At the deepest point and at all corners of the overlap: whether it is no deeper than the limit
// and the sagittas of the faces of both solids around.
bool is_within_facets(DistanceTo& a, DistanceTo& b, const Sagittas& sagittas, double limit,
                      const double* deepest, const solids::Overlay* overlay);

}  // namespace impinge::depth
