#include "depth/way_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "depth/hull_exit.hpp"
#include "depth/scaled_solid.hpp"
#include "solids/relation.hpp"

namespace impinge::depth {
namespace {

using solids::PlacedSolid;
using solids::Relation;
using solids::Solid;

constexpr int kMostGrowths = 7;  // each four times the one before, the first of a rounding
constexpr int kHalvings = 10;

bool parts(const PlacedSolid& a, const Solid& b, const Vector& by) {
  Pose pose;
  const double shift[3] = {by.x, by.y, by.z};
  for (int k = 0; k < 3; ++k) pose.m[k][3] = shift[k];
  pose.identity = false;
  const Relation relation = relation_of(a, PlacedSolid(b, pose), 1, {});
  return relation == Relation::apart || relation == Relation::touching;
}

// A way that parts them, made shorter.
class ShortestWay {
 public:
  ShortestWay(const Solid& a, const Solid& b, double least) : a_(a, Pose()), b_(b), least_(least) {}

  bool is_found() const { return length_ > 0; }
  const Vector& best() const { return best_; }

  bool take(const Way& way) {
    if (is_found() && way.length >= length_) return false;
    const auto by = verified(a_, b_, {way.unit, std::max(way.length, least_)});
    if (!by) return false;
    const double length = std::sqrt(dot(*by, *by));
    if (is_found() && length >= length_) return false;
    best_ = *by;
    length_ = length;
    return true;
  }

  // Along the same line; they may part, meet again and part.
  void halve() {
    const Vector unit = scaled(best_, 1 / length_);
    double meets = least_;
    for (int i = 0; i < kHalvings && length_ - meets > 1e-3 * length_; ++i) {
      const double middle = 0.5 * (meets + length_);
      if (!take({unit, middle})) meets = middle;
    }
  }

 private:
  const PlacedSolid a_;
  const Solid& b_;
  const double least_;
  Vector best_{0, 0, 0};
  double length_ = 0;
};

}  // namespace

std::optional<Vector> verified(const PlacedSolid& a, const Solid& b, const Way& way) {
  double rounding = 0x1p-52 * std::max(largest_coordinate(b), way.length);
  double length = way.length;
  for (int i = 0; i < kMostGrowths; ++i) {
    const Vector by = scaled(way.unit, length);
    if (parts(a, b, by)) return by;
    length += rounding;
    rounding *= 4;
  }
  return std::nullopt;
}

double way_out_of_box(const Solid& a, const Solid& b) {
  const Bounds &of_a = a.tree().tree().bounds(), &of_b = b.tree().tree().bounds();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    least = std::min({least, of_a.hi[k] - of_b.lo[k], of_b.hi[k] - of_a.lo[k]});
  }
  // the differences are rounded
  return std::nextafter(least, std::numeric_limits<double>::infinity());
}

namespace {

Vector way_out_near_one(const Solid& a, const Solid& b, const std::vector<Way>& ways,
                        double least) {
  ShortestWay shortest(a, b, least);
  const bvh::Tree &tree_a = a.tree().tree(), &tree_b = b.tree().tree();
  const auto leave = [&](const Vector& unit) {
    shortest.take({unit, exit_length(tree_a, tree_b, unit)});
  };
  if (const Vector unit = hull_exit(tree_a, tree_b); dot(unit, unit) > 0) leave(unit);
  for (const Way& way : ways) {
    if (!shortest.take(way)) leave(way.unit);
  }
  for (const double sign : {1.0, -1.0}) {
    for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}}) {
      leave(scaled(axis, sign));
    }
  }
  if (shortest.is_found()) shortest.halve();
  return shortest.best();
}

// At a size where lengths are neither too large nor too small for their squares. Scaled back it may
// be rounded.
std::optional<Vector> way_out_scaled(const Solid& a, const Solid& b, std::vector<Way> ways,
                                     double least, int exponent) {
  const ScaledSolid near_a(a, exponent, 1), near_b(b, exponent, 1);
  if (!near_a.is_exact() || !near_b.is_exact()) return std::nullopt;
  for (Way& way : ways) way.length = std::ldexp(way.length, exponent);
  const Vector by =
      way_out_near_one(near_a.solid(), near_b.solid(), ways, std::ldexp(least, exponent));
  const Vector back{std::ldexp(by.x, -exponent), std::ldexp(by.y, -exponent),
                    std::ldexp(by.z, -exponent)};
  if (!parts(PlacedSolid(a, Pose()), b, back)) return std::nullopt;
  return back;
}

}  // namespace

Vector way_out(const Solid& a, const Solid& b, const std::vector<Way>& ways, double least) {
  const int exponent = exponent_to_one(std::max(largest_coordinate(a), largest_coordinate(b)));
  if (exponent != 0) {
    if (const auto by = way_out_scaled(a, b, ways, least, exponent)) return *by;
  }
  return way_out_near_one(a, b, ways, least);
}

}  // namespace impinge::depth
