// A mesh of triangles that were cut out of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

struct WeldedMesh {
  std::vector<double> vertices;     // (v, 3)
  std::vector<std::int32_t> faces;  // (n, 3)
};

// Corners (n, 3, 3) of finite coordinates, each point once, in the order they come; -0.0 equals
// 0.0. Linear time, on this thread.
template <class Number>
WeldedMesh weld_triangles(const Number* corners, std::size_t n);

}  // namespace impinge
