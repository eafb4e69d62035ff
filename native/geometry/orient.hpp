// Exact orientation signs: a floating-point filter inline, exact arithmetic behind it.
// All coordinates are finite and at most 1e100 in magnitude.
#pragma once

#include <cmath>

namespace impinge {

// Rounding bounds, u = 2^-53. A filter computes a sum of products as `value` and the same sum of
// magnitudes as `weight`. In a 3x3 determinant a term passes through 3 differences, 3 roundings of
// products and minors and 2 of sums, so |value - exact| <= ((1+u)^8 - 1) exact weight
// < 8.1 u weight. A product that underflows adds at most 2^-1075, times a factor of at most 2e100:
// less than 1e-222 for all of them. In a 2x2 determinant a term passes through 4 roundings.
inline constexpr double orient3d_relative_error = 10 * 0x1p-53;
inline constexpr double orient3d_absolute_error = 1e-220;
inline constexpr double orient2d_relative_error = 5 * 0x1p-53;
inline constexpr double orient2d_absolute_error = 1e-300;

int orient3d_exact(const double* a, const double* b, const double* c, const double* d);
int orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy);
int ray_side_exact(const double* origin, const double* direction, const double* a, const double* b);

// A rounded determinant and how far it can be from the exact one.
struct Estimate {
  double value, bound;
};

inline Estimate estimate3d(const double* a, const double* b, const double* c, const double* d) {
  const double ax = a[0] - d[0], ay = a[1] - d[1], az = a[2] - d[2];
  const double bx = b[0] - d[0], by = b[1] - d[1], bz = b[2] - d[2];
  const double cx = c[0] - d[0], cy = c[1] - d[1], cz = c[2] - d[2];
  const double yz = by * cz, zy = bz * cy;
  const double zx = bz * cx, xz = bx * cz;
  const double xy = bx * cy, yx = by * cx;
  const double value = ax * (yz - zy) + ay * (zx - xz) + az * (xy - yx);
  const double weight = std::abs(ax) * (std::abs(yz) + std::abs(zy)) +
                        std::abs(ay) * (std::abs(zx) + std::abs(xz)) +
                        std::abs(az) * (std::abs(xy) + std::abs(yx));
  return {value, orient3d_relative_error * weight + orient3d_absolute_error};
}

// Sign of det[a-d; b-d; c-d]: positive when d lies below the plane in which a, b, c appear
// counter-clockwise from above.
inline int orient3d(const double* a, const double* b, const double* c, const double* d) {
  const Estimate e = estimate3d(a, b, c, d);
  if (e.value > e.bound) return 1;
  if (e.value < -e.bound) return -1;
  return orient3d_exact(a, b, c, d);
}

// Sign of the turn a, b, c in the plane: positive when counter-clockwise.
inline int orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx);
  const double value = left - right;
  const double weight = std::abs(left) + std::abs(right);
  const double bound = orient2d_relative_error * weight + orient2d_absolute_error;
  if (value > bound) return 1;
  if (value < -bound) return -1;
  return orient2d_exact(ax, ay, bx, by, cx, cy);
}

// The same for points in space seen along an axis (0, 1, 2).
inline int orient2d(const double* a, const double* b, const double* c, int axis) {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  return orient2d(a[x], a[y], b[x], b[y], c[x], c[y]);
}

// Whether three points are not on one line.
inline bool has_area(const double* a, const double* b, const double* c) {
  return orient2d(a, b, c, 0) || orient2d(a, b, c, 1) || orient2d(a, b, c, 2);
}

// orient3d(a, b, c, .) for several points: the normal is computed once. Same bounds as orient3d.
class Plane {
 public:
  Plane(const double* a, const double* b, const double* c) : a_(a), b_(b), c_(c) {
    const double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    set(0, uz * vy, uy * vz);
    set(1, ux * vz, uz * vx);
    set(2, uy * vx, ux * vy);
  }

  int side(const double* d) const {
    const double x = d[0] - a_[0], y = d[1] - a_[1], z = d[2] - a_[2];
    const double value = normal_[0] * x + normal_[1] * y + normal_[2] * z;
    const double weight =
        weight_[0] * std::abs(x) + weight_[1] * std::abs(y) + weight_[2] * std::abs(z);
    const double bound = orient3d_relative_error * weight + orient3d_absolute_error;
    if (value > bound) return 1;
    if (value < -bound) return -1;
    return orient3d_exact(a_, b_, c_, d);
  }

 private:
  void set(int axis, double plus, double minus) {
    normal_[axis] = plus - minus;
    weight_[axis] = std::abs(plus) + std::abs(minus);
  }

  const double *a_, *b_, *c_;
  double normal_[3];
  double weight_[3];
};

}  // namespace impinge
