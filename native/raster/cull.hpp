// Faces that are so far from all other bodies that no pixel is switched on by them.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/body_mesh.hpp"

namespace impinge::raster {

// Lists of faces, ascending, part by part.
using FaceLists = std::vector<std::vector<std::int32_t>>;

// The other faces: those that reach a cell of a grid which another body reaches too. See cells.hpp.
// `snapped` are the vertices of all bodies, body after body. Bodies that are `alone` stay whole.
FaceLists near_others(const std::vector<BodyMesh>& bodies, const std::vector<Part>& face_parts,
                      const bool* alone, const std::int32_t* snapped, std::int32_t resolution,
                      int workers);

}  // namespace impinge::raster
