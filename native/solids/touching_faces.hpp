// Two faces that meet along a line, and what the solids look like around it.
#pragma once

#include "geometry/vec.hpp"
#include "solids/piece_kinds.hpp"
#include "solids/solid.hpp"

namespace impinge::solids {

struct FaceOf {
  const PlacedSolid& solid;
  std::int32_t face;
};

// Of two faces of simple surfaces that meet in a segment without crossing: one of them has an edge
// along it.
PieceKinds kinds_along_segment(const FaceOf& a, const FaceOf& b);

// Of two faces with an area in common.
PieceKinds kinds_in_plane(const FaceOf& a, const FaceOf& b);

}  // namespace impinge::solids
