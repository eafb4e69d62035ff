// Of two meshes that are asked about once, what may meet at all: no tree is worth building of the
// rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge::bvh {

struct PlacedMesh {
  const double* vertices;  // (vertex_count, 3)
  std::size_t vertex_count;
  const std::int32_t* faces;  // (face_count, 3)
  std::size_t face_count;
  const double* pose;  // (4, 4), or null
};

struct MeshPart {
  std::vector<double> vertices;     // (v, 3), moved by the pose
  std::vector<std::int32_t> faces;  // (n, 3)
  std::vector<std::int32_t> ids;    // (n,) of the faces in the mesh, ascending
};

// The faces of each mesh that share a cell of space with one of the other: all that meet one of the
// other, and few more. Linear time.
std::array<MeshPart, 2> near_parts(const PlacedMesh& a, const PlacedMesh& b, int workers);

}  // namespace impinge::bvh
