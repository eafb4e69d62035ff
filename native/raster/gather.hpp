// The bodies of a query brought together, as they are seen in the image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/block.hpp"
#include "geometry/frame.hpp"
#include "mesh/body_mesh.hpp"
#include "raster/seen.hpp"

namespace impinge::raster {

// Row i of a snapped vertex is middle[i] + rint(scale[i] dot(axis[i], v - centre)).
struct Projection {
  double centre[3], axis[3][3], scale[3];
  std::int32_t middle[3];
};

void snap(const Projection& projection, const double* vertices, std::size_t n, std::int32_t* to);

struct Gathered {
  Block<std::int32_t> snapped;  // (vertices, 3), body after body
  Block<std::int32_t> faces;    // (size, 3)
  Block<std::int32_t> body, face;
  std::size_t vertices = 0, size = 0;
};

// All faces, or with `cull` those that can meet another body's at all. Vertices of bodies that are
// `alone` are welded.
Gathered gather(const std::vector<BodyMesh>& bodies, const bool* alone,
                const Projection& projection, std::int32_t resolution, bool cull, int workers);

}  // namespace impinge::raster
