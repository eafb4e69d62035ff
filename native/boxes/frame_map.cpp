#include "boxes/frame_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impinge {
namespace {

constexpr double kUnit = 0x1p-53;       // half an ulp of one, float64
constexpr double kFloatUnit = 0x1p-24;  // and float32
// Of reaching() per unit of the coordinates on both sides; see docs/exactness.md.
constexpr double kSlabEvaluation = 160 * kFloatUnit;
constexpr double kLargest = 1e15;  // beyond it the float map of boxes is given up

template <int kColumns>
double row_sum(const double (&m)[3][kColumns]) {
  double largest = 0;
  for (const auto& row : m) {
    largest = std::max(largest, std::fabs(row[0]) + std::fabs(row[1]) + std::fabs(row[2]));
  }
  return largest;
}

double shift_size(const Pose& pose) {
  return std::max({std::fabs(pose.m[0][3]), std::fabs(pose.m[1][3]), std::fabs(pose.m[2][3])});
}

double largest(const double v[3]) {
  return std::max({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])});
}

double reach(const Bounds& bounds) { return std::max(largest(bounds.lo), largest(bounds.hi)); }

// Three products and three sums round at most six times: 7 units with second-order terms.
double world_rounding(const PlacedFrame& p) {
  if (p.pose.identity) return 0;
  return 7 * kUnit * (row_sum(p.pose.m) * reach(p.bounds) + shift_size(p.pose));
}

// Q and q of FrameMap, and how far G is from the frame of the tree, in frame units.
struct Inverse {
  double m[3][3], t[3];
  double size;   // |Q|, largest row sum
  double error;  // of a's float coordinates against G of its world coordinates
};

Inverse inverse_of(const PlacedFrame& a) {
  Inverse inv{};
  const auto& r = a.pose.m;
  const Frame& frame = a.frame;
  if (a.pose.identity) {
    for (int i = 0; i < 3; ++i) {
      inv.m[i][i] = 1;
      inv.t[i] = -frame.centre[i];
    }
    inv.size = 1;
    inv.error = kRounding;
    return inv;
  }
  invert(r, inv.m);
  double residual = 0, offset = 0;
  for (int i = 0; i < 3; ++i) {
    double qt = 0;
    for (int k = 0; k < 3; ++k) qt += inv.m[i][k] * r[k][3];
    inv.t[i] = -qt - frame.centre[i];
    double row = 0;
    for (int j = 0; j < 3; ++j) {
      double product = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) product += inv.m[i][k] * r[k][j];
      row += std::fabs(product);
    }
    residual = std::max(residual, row);
    offset = std::max(offset, std::fabs(qt + inv.t[i] + frame.centre[i]));
  }
  inv.size = row_sum(inv.m);
  // The residuals were themselves rounded, at most eight times a term.
  const double extent = reach(a.bounds);
  residual += 8 * kUnit * (inv.size * row_sum(r) + 1);
  offset += 8 * kUnit * (inv.size * shift_size(a.pose) + largest(inv.t) + largest(frame.centre));
  inv.error = kRounding + frame.scale * (residual * extent + offset + inv.size * world_rounding(a));
  return inv;
}

// A bound on the largest singular value of Q, tight for rotations: |Q|^2 = |Q' Q|.
template <int kColumns>
double lengthening(const double (&m)[3][kColumns]) {
  double product[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      product[i][j] = 0;
      for (int k = 0; k < 3; ++k) product[i][j] += m[k][i] * m[k][j];
    }
  }
  return std::sqrt(row_sum(product)) * (1 + 1e-12);
}

// Rounds up, and turns what cannot be bounded into infinity: everything is then undecided and
// goes to the exact test.
float upper(double x) {
  const double padded = 1.01 * x;
  if (!(padded < 1e30)) return std::numeric_limits<float>::infinity();
  return std::nextafter(static_cast<float>(padded), std::numeric_limits<float>::infinity());
}

}  // namespace

double PlacedFrame::size() const {
  double stretch = 0;
  for (const auto& row : pose.m) {
    for (int k = 0; k < 3; ++k) stretch = std::max(stretch, std::fabs(row[k]));
  }
  return stretch / frame.scale;
}

Bounds PlacedFrame::world_bounds() const {
  if (pose.identity) return bounds;
  Bounds world;
  // The sums below round like the vertices do, on values no larger.
  const double margin = 4 * world_rounding(*this);
  for (int k = 0; k < 3; ++k) {
    double lo = pose.m[k][3], hi = pose.m[k][3];
    for (int j = 0; j < 3; ++j) {
      const double a = pose.m[k][j] * bounds.lo[j], b = pose.m[k][j] * bounds.hi[j];
      lo += std::min(a, b);
      hi += std::max(a, b);
    }
    world.lo[k] = lo - margin;
    world.hi[k] = hi + margin;
  }
  return world;
}

// A vertex v is at most |M| |v - centre| from the image of the centre, before both are rounded.
Ball PlacedFrame::world_ball(double radius) const {
  Ball ball{{frame.centre[0], frame.centre[1], frame.centre[2]}, 0};
  if (!pose.identity) transform_point(&pose.m[0][0], frame.centre, ball.centre);
  ball.radius = world_stretch() * radius + world_margin();
  return ball;
}

double PlacedFrame::world_stretch() const {
  return (pose.identity ? 1.0 : lengthening(pose.m)) / frame.scale;
}

// Twice per coordinate, sqrt(3) in space.
double PlacedFrame::world_margin() const { return 4 * world_rounding(*this); }

bool apart(const Ball& a, const Ball& b) {
  const double reach = a.radius + b.radius;
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = a.centre[k] - b.centre[k];
    squared += d * d;
  }
  return are_apart(squared, reach);
}

bool apart(const Bounds& a, const Bounds& b) {
  bool beside = false;
  for (int k = 0; k < 3; ++k) beside |= a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k];
  return beside;
}

FrameMap::FrameMap(const PlacedFrame& a, const PlacedFrame& b) {
  const Inverse inv = inverse_of(a);
  const Frame& fa = a.frame;
  const Frame& fb = b.frame;
  double centre[3];
  for (int i = 0; i < 3; ++i) {
    centre[i] = b.pose.m[i][3];
    for (int j = 0; j < 3; ++j) centre[i] += b.pose.m[i][j] * fb.centre[j];
  }
  for (int i = 0; i < 3; ++i) {
    shift[i] = inv.t[i];
    for (int j = 0; j < 3; ++j) {
      shift[i] += inv.m[i][j] * centre[j];
      double product = 0;
      for (int k = 0; k < 3; ++k) product += inv.m[i][k] * b.pose.m[k][j];
      matrix[i][j] = product * (fa.scale / fb.scale);
      r[i][j] = static_cast<float>(matrix[i][j]);
    }
    shift[i] *= fa.scale;
    t[i] = static_cast<float>(shift[i]);
  }
  stretch = fa.scale * lengthening(inv.m);
  widening = row_sum(matrix);
  const double distance = largest(shift);
  // Products and sums in float64: at most twelve roundings of terms this large.
  const double world = row_sum(b.pose.m) * largest(fb.centre) + shift_size(b.pose);
  const double evaluation = 12 * kUnit *
                            (fa.scale * (inv.size * world + largest(inv.t)) +
                             inv.size * row_sum(b.pose.m) * (fa.scale / fb.scale));
  const double error_b =
      kRounding * widening + evaluation + fa.scale * inv.size * world_rounding(b);
  const double reach_b = widening + distance;  // |x| < 1 before the map
  own_error = 1.01 * (inv.error + error_b);
  // Leaves are mapped in float64 and rounded to float32 once.
  error = upper(std::max(inv.error, error_b + kFloatUnit * reach_b));
  // Boxes in float32: r and t are rounded, then products and sums of middles and of half sizes.
  box_margin = upper(inv.error + error_b + 12 * kFloatUnit * reach_b);
  // Slabs in float32: see reaching().
  slab_slack = upper(2 * (inv.error + error_b) + kSlabEvaluation * (1 + reach_b));
  if (std::isfinite(box_margin) && widening < kLargest && distance < kLargest) return;
  // Nothing can be said in float: every pair goes to the exact test.
  std::fill_n(&r[0][0], 9, 0.0f);
  std::fill_n(t, 3, 0.0f);
  std::fill_n(&matrix[0][0], 9, 0.0);
  std::fill_n(shift, 3, 0.0);
  error = box_margin = slab_slack = std::numeric_limits<float>::infinity();
  own_error = std::numeric_limits<double>::infinity();
}

Box8 FrameMap::boxes(const Box8& own) const {
  Float8 mid[3], half[3];
  for (int k = 0; k < 3; ++k) {
    mid[k] = (own.lo[k] + own.hi[k]) * Float8(0.5f);
    half[k] = (own.hi[k] - own.lo[k]) * Float8(0.5f);
  }
  Box8 b;
  for (int k = 0; k < 3; ++k) {
    const Float8 x(r[k][0]), y(r[k][1]), z(r[k][2]);
    const Float8 m = mul_add(x, mid[0], mul_add(y, mid[1], mul_add(z, mid[2], Float8(t[k]))));
    const Float8 h = mul_add(
        abs(x), half[0], mul_add(abs(y), half[1], mul_add(abs(z), half[2], Float8(box_margin))));
    b.lo[k] = m - h;
    b.hi[k] = m + h;
  }
  return b;
}

void FrameMap::point(float p[3]) const {
  const float x = p[0], y = p[1], z = p[2];
  for (int k = 0; k < 3; ++k) p[k] = r[k][0] * x + r[k][1] * y + r[k][2] * z + t[k];
}

// What floats add to it rounds by less than the hundredth that `upper` leaves.
float FrameMap::reach(double distance) const { return upper(distance * stretch); }

float self_error(const PlacedFrame& placed) { return upper(inverse_of(placed).error); }

float self_reach(const PlacedFrame& placed, double distance) {
  return upper(distance * placed.frame.scale * lengthening(inverse_of(placed).m));
}

}  // namespace impinge
