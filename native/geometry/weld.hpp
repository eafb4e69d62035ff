// Whole arrays of vertices: equal ones found, all moved by a pose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

// first[i] = the smallest index of a vertex with exactly the coordinates of vertex i; -0.0 equals
// 0.0. Nothing when all vertices differ. `vertices` is (n, 3). Linear time.
std::vector<std::int32_t> weld(const double* vertices, std::size_t n, int workers);

// One vertex moved by a pose, (4, 4) row-major with column vectors: R v + t. This order of
// operations, without fma, is the same wherever a vertex is moved.
inline void transform_point(const double* pose, const double* v, double* moved) {
  for (int i = 0; i < 3; ++i) {
    const double* r = pose + 4 * i;
    moved[i] = ((r[0] * v[0] + r[1] * v[1]) + r[2] * v[2]) + r[3];
  }
}

void transform(const double* pose, const double* vertices, std::size_t n, double* moved);

}  // namespace impinge
