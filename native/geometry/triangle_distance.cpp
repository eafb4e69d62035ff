#include "geometry/triangle_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/edge_edge.hpp"
#include "geometry/intersection.hpp"
#include "geometry/triangles.hpp"
#include "geometry/vertex_face.hpp"

namespace impinge {
namespace {

// The closest pair of points so far. `side` tells whether the first point given lies on a or b.
class Closest {
 public:
  bool beaten_by(double squared) const { return squared < squared_; }

  void take(double squared, int side, const double* p, const double* q, const Vector& along_q) {
    squared_ = squared;
    std::copy_n(p, 3, points_[side]);
    shift(q, along_q, points_[1 - side]);
  }

  void take(double squared, const double* p, const Vector& along_p, const double* q,
            const Vector& along_q) {
    squared_ = squared;
    shift(p, along_p, points_[0]);
    shift(q, along_q, points_[1]);
  }

  void write(Nearest& nearest) const {
    // Apart by the exact test, so never zero.
    nearest.value = std::max(std::sqrt(squared_), std::numeric_limits<double>::min());
    std::copy_n(&points_[0][0], 6, &nearest.points[0][0]);
  }

 private:
  double squared_ = std::numeric_limits<double>::infinity();
  double points_[2][3]{};
};

void nearest_features(const Triangle& a, const Triangle& b, Nearest& nearest) {
  const TriangleFeatures face_a(a), face_b(b);
  Closest closest;
  for (int i = 0; i < 3; ++i) vertex_face(a[i], face_b, 0, closest);
  for (int i = 0; i < 3; ++i) vertex_face(b[i], face_a, 1, closest);
  for (const TriangleEdge& p : face_a.edges) {
    for (const TriangleEdge& q : face_b.edges) edge_edge(p, q, closest);
  }
  closest.write(nearest);
}

bool boxes_meet(const Triangle& a, const Triangle& b) {
  for (int k = 0; k < 3; ++k) {
    const auto [a_lo, a_hi] = std::minmax({a[0][k], a[1][k], a[2][k]});
    const auto [b_lo, b_hi] = std::minmax({b[0][k], b[1][k], b[2][k]});
    if (a_hi < b_lo || b_hi < a_lo) return false;
  }
  return true;
}

// By a power of two, which rounds nothing.
Triangle times(const Triangle& t, int exponent) {
  Triangle result;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) result.v[i][k] = std::ldexp(t[i][k], exponent);
  }
  return result;
}

void nearest_scaled(const Triangle& a, const Triangle& b, int exponent, Nearest& nearest) {
  nearest_features(times(a, exponent), times(b, exponent), nearest);
  nearest.value =
      std::max(std::ldexp(nearest.value, -exponent), std::numeric_limits<double>::denorm_min());
  for (auto& point : nearest.points) {
    for (double& x : point) x = std::ldexp(x, -exponent);
  }
}

}  // namespace

double extent(const Triangle& a, const Triangle& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = std::max({largest, max_norm(from_to(a[0], a[i])), max_norm(from_to(a[0], b[i]))});
  }
  return largest;
}

Nearest triangle_distance(const Triangle& a, const Triangle& b) {
  if (!boxes_meet(a, b) || !intersects(a, b)) return distance_apart(a, b);
  Nearest nearest{};
  const Contact met = contact(a, b);
  std::copy_n(met.segment[0], 3, nearest.points[0]);
  std::copy_n(met.segment[0], 3, nearest.points[1]);
  return nearest;
}

Nearest distance_apart(const Triangle& a, const Triangle& b) {
  Nearest nearest{};
  const double size = extent(a, b);
  if (size > kLeastExtent && size < kMostExtent) {
    nearest_features(a, b, nearest);
  } else {
    // all in one point, or not numbers: no exponent is below that of the least number
    nearest_scaled(a, b, -std::max(std::ilogb(size), -1074), nearest);
  }
  return nearest;
}

double flat_gap(const Triangle& a, const Triangle& b) {
  double widest = 0;
  for (int k = 0; k < 3; ++k) {
    const bool flat_a = a[0][k] == a[1][k] && a[0][k] == a[2][k];
    const bool flat_b = b[0][k] == b[1][k] && b[0][k] == b[2][k];
    if (flat_a && flat_b) widest = std::max(widest, gap_across(a[0][k], b[0][k]));
  }
  return widest;
}

// All features give the same component across, since edges have none: the rounded difference of two
// coordinates. Squares and sums of squares round monotonically, and the root of a rounded square is
// the number itself where nothing underflows.
double gap_across(double a, double b) {
  const double gap = std::fabs(b - a);
  return gap > kLeastExtent && gap < kMostExtent ? gap : 0;
}

}  // namespace impinge
