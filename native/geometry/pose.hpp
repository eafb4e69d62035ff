// Poses, and how vertices are moved by them.
#pragma once

#include <cstddef>

namespace impinge {

struct Pose {
  double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};  // world = m (v, 1)
  bool identity = true;

  Pose() = default;
  explicit Pose(const double* matrix) {  // 4x4, row-major
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        m[i][j] = matrix[4 * i + j];
        identity = identity && m[i][j] == (i == j ? 1.0 : 0.0);
      }
    }
  }
};

// The inverse of the linear part, rounded; not finite when it has none.
inline void invert(const double (&r)[3][4], double (&inverse)[3][3]) {
  const double det = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                     r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                     r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      inverse[i][j] = (r[j1][i1] * r[j2][i2] - r[j1][i2] * r[j2][i1]) / det;
    }
  }
}

// One vertex moved by a pose, (4, 4) row-major with column vectors: R v + t. This order of
// operations, without fma, is the same wherever a vertex is moved.
inline void transform_point(const double* pose, const double* v, double* moved) {
  for (int i = 0; i < 3; ++i) {
    const double* r = pose + 4 * i;
    moved[i] = ((r[0] * v[0] + r[1] * v[1]) + r[2] * v[2]) + r[3];
  }
}

inline void transform(const double* pose, const double* vertices, std::size_t n, double* moved) {
  for (std::size_t i = 0; i < n; ++i) transform_point(pose, vertices + 3 * i, moved + 3 * i);
}

// The same for a vertex that may stay where it is.
inline void place_point(const Pose& pose, const double* v, double* placed) {
  if (pose.identity) {
    for (int k = 0; k < 3; ++k) placed[k] = v[k];
  } else {
    transform_point(&pose.m[0][0], v, placed);
  }
}

}  // namespace impinge
