#include "geometry/orient.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>

#include "geometry/double_double.hpp"
#include "geometry/expansion.hpp"
#include "geometry/turn.hpp"
#include "geometry/vec.hpp"
#include "geometry/wide_integer.hpp"

namespace impinge {
namespace {

template <class Number>
int determinant_sign(const Number (&a)[3], const Number (&b)[3], const Number (&c)[3]) {
  return sign((b[1] * c[2] - b[2] * c[1]) * a[0] + (b[2] * c[0] - b[0] * c[2]) * a[1] +
              (b[0] * c[1] - b[1] * c[0]) * a[2]);
}

template <class Number>
int determinant_sign(const Number& ax, const Number& ay, const Number& bx, const Number& by) {
  return sign(ax * by - ay * bx);
}

bool all_safe(const double* x, int count) { return std::all_of(x, x + count, expansion_safe); }

int common_exponent(const double* x, int count) {
  int exponent = INT_MAX;
  for (int i = 0; i < count; ++i) {
    if (x[i] != 0) exponent = std::min(exponent, unit_exponent(x[i]));
  }
  return exponent;
}

// A row or column of zeros, or two equal points, among the differences with d.
bool plainly_flat(const double* a, const double* b, const double* c, const double* d) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] == d[k] && b[k] == d[k] && c[k] == d[k]) return true;
  }
  return same_point(a, d) || same_point(b, d) || same_point(c, d) || same_point(a, b) ||
         same_point(b, c) || same_point(a, c);
}

// Exponent of the largest power of two that divides a normal double; large for zero.
int divisor_exponent(double x) {
  if (x == 0) return INT_MAX / 4;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
  return exponent + std::countr_zero(bits | std::uint64_t{1} << 52);
}

// The determinant is a multiple of this: 2^(x+y+z), where 2^x divides all x coordinates and so on.
// What is certainly closer to zero is zero; on coarse grids that ends the matter.
double smallest_step(const double* a, const double* b, const double* c, const double* d) {
  int exponent = 0;
  for (int k = 0; k < 3; ++k) {
    exponent += std::min({divisor_exponent(a[k]), divisor_exponent(b[k]), divisor_exponent(c[k]),
                          divisor_exponent(d[k])});
  }
  return std::scalbn(1.0, exponent);
}

bool must_be_zero(const Estimate& e, double step) {
  return 1.01 * (std::abs(e.value) + e.bound) < step;
}

// In double-double arithmetic. A term passes through two products and three sums: the error is
// below (2*7 + 3*3.1) u^2 weight, u^2 = 2^-106, and that of underflow, which only the last products
// can suffer, below 1e-300.
Estimate paired_estimate3d(const double* a, const double* b, const double* c, const double* d) {
  Pair row[3][3];
  for (int k = 0; k < 3; ++k) {
    row[0][k] = two_diff(a[k], d[k]);
    row[1][k] = two_diff(b[k], d[k]);
    row[2][k] = two_diff(c[k], d[k]);
  }
  Pair value{0, 0};
  double weight = 0;
  for (int x = 0; x < 3; ++x) {
    const int y = x == 2 ? 0 : x + 1, z = x == 0 ? 2 : x - 1;
    const Pair plus = row[1][y] * row[2][z], minus = row[1][z] * row[2][y];
    value = value + (plus - minus) * row[0][x];
    weight += (std::abs(plus.high) + std::abs(minus.high)) * std::abs(row[0][x].high);
  }
  return {value.high, 0x1p-101 * weight + 1e-300};
}

int orient3d_wide(const double* a, const double* b, const double* c, const double* d) {
  double all[12];
  const double* points[4] = {a, b, c, d};
  for (int i = 0; i < 4; ++i) std::copy_n(points[i], 3, all + 3 * i);
  const int exponent = common_exponent(all, 12);
  WideInteger row[3][3];
  for (int k = 0; k < 3; ++k) {
    const WideInteger base = wide_integer(d[k], exponent);
    for (int i = 0; i < 3; ++i) row[i][k] = wide_integer(points[i][k], exponent) - base;
  }
  return determinant_sign(row[0], row[1], row[2]);
}

}  // namespace

int orient3d_exact(const double* a, const double* b, const double* c, const double* d) {
  if (plainly_flat(a, b, c, d)) return 0;
  if (!all_safe(a, 3) || !all_safe(b, 3) || !all_safe(c, 3) || !all_safe(d, 3)) {
    return orient3d_wide(a, b, c, d);
  }
  const double step = smallest_step(a, b, c, d);
  if (must_be_zero(estimate3d(a, b, c, d), step)) return 0;
  const Estimate paired = paired_estimate3d(a, b, c, d);
  if (paired.value > paired.bound) return 1;
  if (paired.value < -paired.bound) return -1;
  if (must_be_zero(paired, step)) return 0;
  Expansion<2> row[3][3];
  for (int k = 0; k < 3; ++k) {
    row[0][k] = difference(a[k], d[k]);
    row[1][k] = difference(b[k], d[k]);
    row[2][k] = difference(c[k], d[k]);
  }
  return determinant_sign(row[0], row[1], row[2]);
}

int ray_side_exact(const double* origin, const double* direction, const double* a,
                   const double* b) {
  if (same_point(a, b) || same_point(a, origin) || same_point(b, origin)) return 0;
  if (all_safe(origin, 3) && all_safe(direction, 3) && all_safe(a, 3) && all_safe(b, 3)) {
    Expansion<2> row[3][3];
    for (int k = 0; k < 3; ++k) {
      row[0][k].push(direction[k]);
      row[1][k] = difference(a[k], origin[k]);
      row[2][k] = difference(b[k], origin[k]);
    }
    return determinant_sign(row[0], row[1], row[2]);
  }
  double points[9];
  std::copy_n(origin, 3, points);
  std::copy_n(a, 3, points + 3);
  std::copy_n(b, 3, points + 6);
  const int exponent = common_exponent(points, 9);
  const int own = common_exponent(direction, 3);
  WideInteger row[3][3];
  for (int k = 0; k < 3; ++k) {
    const WideInteger base = wide_integer(origin[k], exponent);
    row[0][k] = wide_integer(direction[k], own);
    row[1][k] = wide_integer(a[k], exponent) - base;
    row[2][k] = wide_integer(b[k], exponent) - base;
  }
  return determinant_sign(row[0], row[1], row[2]);
}

int orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy) {
  if ((ax == cx || by == cy) && (ay == cy || bx == cx)) return 0;
  const double all[6] = {ax, ay, bx, by, cx, cy};
  if (all_safe(all, 6)) {
    return determinant_sign(difference(ax, cx), difference(ay, cy), difference(bx, cx),
                            difference(by, cy));
  }
  const int exponent = common_exponent(all, 6);
  WideInteger wide[6];
  for (int i = 0; i < 6; ++i) wide[i] = wide_integer(all[i], exponent);
  return determinant_sign(wide[0] - wide[4], wide[1] - wide[5], wide[2] - wide[4],
                          wide[3] - wide[5]);
}

int turn_exact(double ux, double uy, double vx, double vy, double px, double py, double qx,
               double qy) {
  const double all[8] = {ux, uy, vx, vy, px, py, qx, qy};
  if (all_safe(all, 8)) {
    return determinant_sign(difference(vx, ux), difference(vy, uy), difference(qx, px),
                            difference(qy, py));
  }
  const int exponent = common_exponent(all, 8);
  WideInteger wide[8];
  for (int i = 0; i < 8; ++i) wide[i] = wide_integer(all[i], exponent);
  return determinant_sign(wide[2] - wide[0], wide[3] - wide[1], wide[6] - wide[4],
                          wide[7] - wide[5]);
}

}  // namespace impinge
