// Points, triangles and vectors of doubles.
#pragma once

#include <cmath>

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

// Vectors in plain float64, for the kernels that are not exact.
struct Vector {
  double x, y, z;
};

inline Vector from_to(const double* a, const double* b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

inline Vector scaled(const Vector& v, double s) { return {v.x * s, v.y * s, v.z * s}; }

inline double dot(const Vector& u, const Vector& v) { return u.x * v.x + u.y * v.y + u.z * v.z; }

inline Vector cross(const Vector& u, const Vector& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

inline double max_norm(const Vector& v) {
  return std::fmax(std::abs(v.x), std::fmax(std::abs(v.y), std::abs(v.z)));
}

inline int largest_axis(const Vector& v) {
  const double largest = max_norm(v);
  return std::abs(v.x) == largest ? 0 : std::abs(v.y) == largest ? 1 : 2;
}

// Perpendicular to the triangle with a maximum norm of 1, so that it can be multiplied on; zero
// without area.
inline Vector normal(const Triangle& t) {
  const Vector n = cross(from_to(t[0], t[1]), from_to(t[0], t[2]));
  const double largest = max_norm(n);
  return largest > 0 ? Vector{n.x / largest, n.y / largest, n.z / largest} : Vector{0, 0, 0};
}

}  // namespace impinge
