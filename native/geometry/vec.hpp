// Points and triangles: plain arrays of doubles, compared exactly.
#pragma once

namespace impinge {

struct Triangle {
  double v[3][3];
  const double* operator[](int i) const { return v[i]; }
};

inline bool same_point(const double* a, const double* b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Lexicographic order; on a line it is the order along the line.
inline bool before(const double* a, const double* b) {
  if (a[0] != b[0]) return a[0] < b[0];
  if (a[1] != b[1]) return a[1] < b[1];
  return a[2] < b[2];
}

}  // namespace impinge
