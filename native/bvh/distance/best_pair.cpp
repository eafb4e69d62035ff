#include "bvh/distance/best_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/triangle_distance.hpp"

namespace impinge::bvh {
namespace {

// A pair is skipped when a lower bound exceeds the best distance by more than all roundings; see
// docs/exactness.md. Units are 2^-24 for floats and 2^-53 for doubles.
//
// Squares, roots and quotients that make up a bound round some six times: 32 units.
constexpr double kRelativeSlack = 0x1p-19;
// Distances of triangles are at most 20 units of the size of the pair too small, and directions
// take 20 more: 512 units.
constexpr double kFloat64Slack = 0x1p-44;
// A vertex of each body adds sqrt(3) errors to a dot product with a unit vector, and rounding it
// adds 3 sqrt(3) units of the coordinates: 4 errors and 16 units.
constexpr double kDotErrors = 4, kDotRounding = 0x1p-20;
// Boxes of triangles are grown by an error for each body, and round once: 2 errors and 2 units.
constexpr double kBoxErrors = 2, kBoxRounding = 0x1p-23;
// Squares below it may have been rounded up.
constexpr double kUnderflow = 1e-36;

// Ties from which on whole leaves are checked for them.
constexpr std::size_t kManyTies = 256;

double farthest(const double (&v)[3]) {
  return std::max({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])});
}

float rounded_up(double x) {
  if (!(x < 1e38)) return std::numeric_limits<float>::infinity();
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

}  // namespace

Bodies::Bodies(const PlacedTree& at_rest, const PlacedTree& moved)
    : a(at_rest),
      b(moved),
      swapped(at_rest.frame().size() < moved.frame().size()),
      relative((swapped ? moved : at_rest).frame(), (swapped ? at_rest : moved).frame()) {
  if (swapped) std::swap(a, b);
}

BestPair::BestPair(const Bodies& bodies, double upper_bound, Scratch& scratch,
                   DistanceCounters& counters)
    : bodies_(bodies),
      scratch_(scratch),
      counters_(counters),
      // Row sums are at most three times the size, and a frame reaches from -1 to 1.
      size_(6 * (bodies.a.frame().size() + bodies.b.frame().size())),
      reach_(1 + bodies.relative.widening + farthest(bodies.relative.shift)) {
  cuts_.margin = rounded_up(kBoxErrors * bodies.relative.error + kBoxRounding * reach_);
  best_.value = upper_bound;
  tighten();
}

void BestPair::try_faces(std::int32_t face_a, std::int32_t face_b) {
  if (bodies_.swapped) std::swap(face_a, face_b);
  offer(bodies_.a.triangle_of_face(face_a), bodies_.b.triangle_of_face(face_b), face_a, face_b);
}

void BestPair::try_lanes(Item leaves, int lane_a, int lane_b) {
  const std::uint32_t slot_a = leaves.a * kLanes + static_cast<std::uint32_t>(lane_a);
  const std::uint32_t slot_b = leaves.b * kLanes + static_cast<std::uint32_t>(lane_b);
  offer(bodies_.a.triangle(slot_a), bodies_.b.triangle(slot_b), bodies_.a.tree->face_of(slot_a),
        bodies_.b.tree->face_of(slot_b));
}

bool BestPair::never_first(Item leaves) {
  if (ties_ < kManyTies) return false;
  const FlatLeaf &a = scratch_.a.of(bodies_.a, leaves.a), &b = scratch_.b.of(bodies_.b, leaves.b);
  if (bodies_.swapped ? comes_first(b.first_face, a.first_face)
                      : comes_first(a.first_face, b.first_face)) {
    return false;
  }
  for (int k = 0; k < 3; ++k) {
    if (gap_across(a.at[k], b.at[k]) >= best_.value) return true;
  }
  return false;
}

// Whether it is to be named if it is as close as the best.
bool BestPair::comes_first(std::int32_t face_a, std::int32_t face_b) const {
  return !known() || face_a < best_.face_a || (face_a == best_.face_a && face_b < best_.face_b);
}

void BestPair::offer(const Triangle& a, const Triangle& b, std::int32_t face_a,
                     std::int32_t face_b) {
  if (bodies_.swapped) std::swap(face_a, face_b);
  const bool first = comes_first(face_a, face_b);
  if (!first && flat_gap(a, b) >= best_.value) {
    if (++ties_ == kManyTies) {
      scratch_.a.forget(bodies_.a);
      scratch_.b.forget(bodies_.b);
    }
    return;
  }
  ++counters_.triangle_pairs;
  const Nearest nearest = bodies_.swapped ? triangle_distance(b, a) : triangle_distance(a, b);
  if (nearest.value > best_.value || (nearest.value == best_.value && !first)) return;
  best_.value = nearest.value;
  best_.face_a = face_a;
  best_.face_b = face_b;
  std::copy_n(&nearest.points[0][0], 6, &best_.points[0][0]);
  tighten();
  line_ = between_points();
}

// The cuts that belong to the best distance, in the frame.
void BestPair::tighten() {
  const FrameMap& relative = bodies_.relative;
  far_cut_ = (best_.value + kFloat64Slack * (best_.value + size_)) * relative.stretch;
  const double cut = far_cut_ * (1 + kRelativeSlack);
  cuts_.squared = rounded_up(cut * cut * (1 + kRelativeSlack) + kUnderflow);
  cuts_.linear = rounded_up(cut + kDotErrors * relative.error + kDotRounding * reach_);
}

// Normals go from the world to the frame by the transposed matrix.
Direction BestPair::between_points() const {
  double d[3] = {};
  for (int i = 0; i < 3; ++i) {
    const double step = best_.points[1][i] - best_.points[0][i];
    for (int k = 0; k < 3; ++k) d[k] += bodies_.a.pose.m[i][k] * (bodies_.swapped ? -step : step);
  }
  return {d, bodies_.relative, far_cut_};
}

}  // namespace impinge::bvh
