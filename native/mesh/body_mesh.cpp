#include "mesh/body_mesh.hpp"

#include <algorithm>

namespace impinge {
namespace {

// A stray vertex far away must not make everything else small.
Bounds used_bounds(const BodyMesh& body) {
  std::vector<char> used(body.vertex_count, 0);
  for (std::size_t i = 0; i < 3 * body.face_count; ++i) used[body.faces[i]] = 1;
  if (std::find(used.begin(), used.end(), 0) == used.end()) {
    return bounds_of(body.vertices, body.vertex_count);
  }
  Bounds bounds = kNoBounds;
  for (std::size_t i = 0; i < body.vertex_count; ++i) {
    if (used[i]) include(bounds, body.vertices + 3 * i, body.vertices + 3 * i);
  }
  return bounds;
}

}  // namespace

Bounds bounds_of(const std::vector<BodyMesh>& bodies, int workers) {
  std::vector<Bounds> each(bodies.size());
  parallel_for(workers, bodies.size(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (; begin < end; ++begin) each[begin] = used_bounds(bodies[begin]);
  });
  Bounds bounds = kNoBounds;
  for (const Bounds& b : each) include(bounds, b.lo, b.hi);
  return bounds;
}

}  // namespace impinge
