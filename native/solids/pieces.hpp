// The boundary of what two solids have in common, as a closed mesh of triangles.
//
// Corners are known by what they are, a vertex or the place where an edge passes a face, and not by
// where: so the mesh is closed, however its corners were rounded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solids/overlay.hpp"

namespace impinge::solids {

struct Pieces {
  std::vector<std::array<double, 3>> corners;
  std::int32_t passages = 0;            // so many corners are on both surfaces, and come first
  std::vector<std::uint32_t> crossing;  // of the overlay, of which each of them is an end
  struct Piece {
    std::int32_t corner[3];  // counter-clockwise from outside
    std::int32_t surface;    // 0: of a, 1: of b
    std::int32_t face;       // of which it is a part
  };
  std::vector<Piece> pieces;

  const double* at(const Piece& piece, int k) const { return corners[piece.corner[k]].data(); }
};

Pieces pieces_of(const Overlay& overlay);
// Without the faces that are wholly inside.
Pieces pieces_of_cut_faces(const Overlay& overlay);
// What of the same faces is outside the other solid.
Pieces outside_of_cut_faces(const Overlay& overlay);

}  // namespace impinge::solids
