// Of two meshes that are asked about once, what may meet at all: no tree is worth building of the
// rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/frame.hpp"
#include "geometry/pose.hpp"
#include "mesh/body_mesh.hpp"

namespace impinge::bvh {

struct PlacedMesh : BodyMesh {
  Pose pose;
};

struct MeshPart {
  std::vector<double> vertices;     // (v, 3), moved by the pose
  std::vector<std::int32_t> faces;  // (n, 3)
  std::vector<std::int32_t> ids;    // (n,) of the faces in the mesh, ascending
};

// Where all vertices are.
Bounds bounds_of(const PlacedMesh& mesh, int workers);

// The faces of each mesh that share a cell of space with one of the other: all that meet one of the
// other, and few more. Both are what is common to their bounds. Linear time.
std::array<MeshPart, 2> near_parts(const PlacedMesh& a, const PlacedMesh& b, const Bounds& both,
                                   int workers);

}  // namespace impinge::bvh
