#include "motion/rigid/moment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/between.hpp"
#include "geometry/vertex_face.hpp"

namespace impinge::motion {
namespace {

// Roundings in float32 of what is at most the sum of all speeds: products, sums and the rounded
// direction make less than 40 units of 2^-24. Four times that.
constexpr float kRateSlack = 0x1p-16f;
constexpr float kRoundedUp = 1 + 0x1p-18f, kRoundedDown = 1 - 0x1p-18f;
// As in bvh/distance/best_pair.cpp: a corner of each body, and the rounding of dot products.
constexpr double kDotErrors = 4, kDotRounding = 0x1p-20;
// Better lines between two triangles that are tried.
constexpr int kTurns = 2;

Float8 dot(const Float8 (&u)[3], const Float8 (&v)[3]) {
  return mul_add(u[0], v[0], mul_add(u[1], v[1], u[2] * v[2]));
}

// u x v for one v
void cross(const Float8 (&u)[3], const float (&v)[3], Float8 (&to)[3]) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    to[k] = mul_sub(u[i], Float8(v[j]), u[j] * Float8(v[i]));
  }
}

Float8 size(const Float8 (&v)[3]) { return sqrt(dot(v, v)); }

Float8 most(const BoxShape& box, const Float8 (&m)[3], const float (&origin)[3]) {
  Float8 sum(0.0f);
  for (int k = 0; k < 3; ++k) {
    sum = mul_add(box.middle[k] - Float8(origin[k]), m[k], sum);
    sum = mul_add(box.half[k], abs(m[k]), sum);
  }
  return sum;
}

Float8 most(const TriangleShape& t, const Float8 (&m)[3], const float (&origin)[3]) {
  Float8 best;
  for (int c = 0; c < 3; ++c) {
    Float8 sum(0.0f);
    for (int k = 0; k < 3; ++k) sum = mul_add(t.corner[c][k] - Float8(origin[k]), m[k], sum);
    best = c ? max(best, sum) : sum;
  }
  return best;
}

Float8 fastest(const BoxShape& box, const Spin& spin) {
  Float8 y[3], turned[3];
  for (int k = 0; k < 3; ++k) y[k] = box.middle[k] - Float8(spin.origin[k]);
  cross(y, spin.turn, turned);
  return mul_add(Float8(spin.length), size(box.half), size(turned));
}

Float8 fastest(const TriangleShape& t, const Spin& spin) {
  Float8 best(0.0f);
  for (int c = 0; c < 3; ++c) {
    Float8 y[3], turned[3];
    for (int k = 0; k < 3; ++k) y[k] = t.corner[c][k] - Float8(spin.origin[k]);
    cross(y, spin.turn, turned);
    best = max(best, dot(turned, turned));
  }
  return sqrt(best);
}

float up(double x) {
  if (!(x < 1e30)) return std::numeric_limits<float>::infinity();
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

// A vector of the world in the frame of a pose.
Vector seen_from(const Pose& pose, const Vector& v) {
  const auto& m = pose.m;
  return {m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z,
          m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
          m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z};
}

void put(const Vector& v, double scale, float (&to)[3]) {
  to[0] = static_cast<float>(v.x * scale);
  to[1] = static_cast<float>(v.y * scale);
  to[2] = static_cast<float>(v.z * scale);
}

double length(const Vector& v) { return std::sqrt(dot(v, v)); }

// Per share of the piece.
State state_in(const Piece& piece, const Segment& segment, double share) {
  const double duration = piece.end - piece.begin;
  State state = state_at(segment, time_in(piece, share));
  state.velocity = scaled(state.velocity, duration);
  state.turn = scaled(state.turn, duration);
  state.bend *= duration * duration;
  return state;
}

Spin spin_of(const State& own, const State& frame_of, const Frame& frame) {
  Spin spin;
  put(seen_from(frame_of.pose, own.turn), 1, spin.turn);
  const Vector centre{frame.centre[0], frame.centre[1], frame.centre[2]};
  const Vector own_origin = seen_from(frame_of.pose, difference(own.origin, frame_of.origin));
  put(difference(own_origin, centre), frame.scale, spin.origin);
  spin.length = up(length(own.turn) * (1 + 1e-6));
  return spin;
}

}  // namespace

// The smaller root of bend h^2 + rate h = gap, without cancellation, and a little less.
double safe_time(double gap, double rate, double bend) {
  if (!(gap > 0)) return 0;
  const double root = std::sqrt(rate * rate + 4 * bend * gap);
  const double h = rate >= 0 ? 2 * gap / (rate + root) : (root - rate) / (2 * bend);
  return h * (1 - 0x1p-40);  // NaN does not come up: gap > 0
}

template <class Shape>
Float8 Spin::rate(const Shape& shape, const Float8 (&n)[3], float sign) const {
  Float8 m[3];
  const float w[3] = {sign * turn[0], sign * turn[1], sign * turn[2]};
  cross(n, w, m);
  return most(shape, m, origin);
}

template <class Shape>
Float8 Spin::bend(const Shape& shape) const {
  return Float8(length) * fastest(shape, *this);
}

Places::Places(const bvh::Tree& tree_a, const bvh::Tree& tree_b, const Piece& piece, double when)
    : share(when),
      state_a(state_in(piece, piece.a, when)),
      state_b(state_in(piece, piece.b, when)),
      a{&tree_a, state_a.pose},
      b{&tree_b, state_b.pose} {}

Moment::Moment(const Places& places)
    : share_(places.share), relative_(places.a.frame(), places.b.frame()) {
  const State &own_a = places.state_a, &own_b = places.state_b;
  const bvh::Tree &a = *places.a.tree, &b = *places.b.tree;
  const Frame& frame = a.frame();
  put(seen_from(own_a.pose, difference(own_a.velocity, own_b.velocity)), frame.scale, velocity_);
  spin_a_ = spin_of(own_a, own_a, frame);
  spin_b_ = spin_of(own_b, own_a, frame);
  // In the frame: no point moves faster, by translation and by turning.
  const double far_a = reach(a.bounds()), far_b = reach(b.bounds());
  const double straight = length(own_a.velocity) + length(own_b.velocity);
  const double turn_a = length(own_a.turn), turn_b = length(own_b.turn);
  // Origins are seen from the centre of the frame.
  const double shift = length(difference(own_a.origin, own_b.origin)) + 2 * far_a + far_b;
  const double fast = straight + turn_a * (far_a + shift) + turn_b * (far_b + shift);
  rate_slack_ = up(kRateSlack * fast * frame.scale);
  const double bends =
      own_a.bend + own_b.bend +
      kRateSlack * (turn_a * turn_a * (far_a + shift) + turn_b * turn_b * (far_b + shift));
  bend_ = up(0.5 * bends * frame.scale);
  // Row sums are at most three times the size, and a frame reaches from -1 to 1.
  const double wide = 1 + relative_.widening +
                      std::max({std::fabs(relative_.shift[0]), std::fabs(relative_.shift[1]),
                                std::fabs(relative_.shift[2])});
  gap_slack_ = up(kDotErrors * relative_.error + kDotRounding * wide);
  box_slack_ = up(2.0 * relative_.box_margin + gap_slack_);
}

template <class Shape>
Approach Moment::along(const Float8 (&n)[3], Float8 gap, const Shape& a, const Shape& b) const {
  Float8 rate(rate_slack_), bend(bend_);
  for (int k = 0; k < 3; ++k) rate = mul_add(n[k], Float8(velocity_[k]), rate);
  if (spin_a_.length > 0) {
    rate = rate + spin_a_.rate(a, n, 1);
    bend = mul_add(Float8(0.5f * kRoundedUp), spin_a_.bend(a), bend);
  }
  if (spin_b_.length > 0) {
    rate = rate + spin_b_.rate(b, n, -1);
    bend = mul_add(Float8(0.5f * kRoundedUp), spin_b_.bend(b), bend);
  }
  return {gap, rate, bend};
}

Approach Moment::of_boxes(const Box8& a, const Box8& moved_b) const {
  Float8 n[3], squared(0.0f);
  for (int k = 0; k < 3; ++k) {
    // at most one of them is positive
    n[k] = max(moved_b.lo[k] - a.hi[k], Float8(0.0f)) - max(a.lo[k] - moved_b.hi[k], Float8(0.0f));
    squared = mul_add(n[k], n[k], squared);
  }
  const Float8 apart = sqrt(squared);
  const Float8 inverse = Float8(1.0f) / max(apart, Float8(1e-15f));
  for (Float8& one : n) one = one * inverse;
  const Float8 gap = select(apart > Float8(1e-12f), apart * Float8(kRoundedDown), Float8(0.0f));
  return along(n, gap, BoxShape(a), BoxShape(moved_b));
}

Approach Moment::of_boxes(const Box8& a, const Box8& own_b, const Box8& moved_b) const {
  const BoxShape box_a(a), box_b(moved_b);
  Float8 line[3], between[3], squared(0.0f), long2(0.0f);
  for (int k = 0; k < 3; ++k) {
    line[k] =
        max(moved_b.lo[k] - a.hi[k], Float8(0.0f)) - max(a.lo[k] - moved_b.hi[k], Float8(0.0f));
    between[k] = box_b.middle[k] - box_a.middle[k];
    squared = mul_add(line[k], line[k], squared);
    long2 = mul_add(between[k], between[k], long2);
  }
  const Float8 apart = sqrt(squared);
  const Mask8 beside = apart > Float8(1e-12f);
  const Float8 inverse = Float8(1.0f) / max(select(beside, apart, sqrt(long2)), Float8(1e-15f));
  Float8 n[3];
  for (int k = 0; k < 3; ++k) n[k] = select(beside, line[k], between[k]) * inverse;
  Float8 along_n = dot(n, between) - Float8(box_slack_);
  for (int k = 0; k < 3; ++k) {
    const Float8 across =
        mul_add(n[0], Float8(relative_.r[0][k]),
                mul_add(n[1], Float8(relative_.r[1][k]), n[2] * Float8(relative_.r[2][k])));
    along_n = along_n - abs(n[k]) * box_a.half[k];
    along_n = along_n - abs(across) * ((own_b.hi[k] - own_b.lo[k]) * Float8(0.5f));
  }
  const Float8 gap = select(beside, apart * Float8(kRoundedDown), Float8(0.0f));
  return along(n, max(along_n, gap), box_a, box_b);
}

Approach Moment::of_triangles(const TriangleShape& a, const TriangleShape& b) const {
  Between between([&](int i) { return a.corner[i / 3][i % 3]; },
                  [&](int i) { return b.corner[i / 3][i % 3]; });
  for (int turn = 0; turn < kTurns; ++turn) between.turn();
  Float8 n[3];
  between.direction(n);
  return along(n, max(between.gaps() - Float8(gap_slack_), Float8(0.0f)), a, b);
}

}  // namespace impinge::motion
