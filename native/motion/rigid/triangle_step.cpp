#include "motion/rigid/triangle_step.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/triangle_distance.hpp"
#include "geometry/vertex_face.hpp"
#include "motion/rigid/moment.hpp"

namespace impinge::motion {
namespace {

// Of the speeds, for the rounding of what moves along a direction: 128 units of 2^-53.
constexpr double kSpeedRounding = 0x1p-46;
// Closest points that round tell a direction only roughly, and along it less than their distance is
// left between large triangles: then all directions that may part them are tried.
constexpr double kLeft = 0.5;

double length(const Vector& v) { return std::sqrt(dot(v, v)); }

Vector vector(const double* p) { return {p[0], p[1], p[2]}; }

// A corner and how it moves.
struct Corner {
  Vector place, velocity;  // place against a common point
  double bend, speed;

  Corner() = default;
  Corner(const double* p, const double* from, const State& state) : place(from_to(from, p)) {
    const Vector turning = cross(state.turn, difference(vector(p), state.origin));
    velocity = sum(state.velocity, turning);
    bend = 0.5 * (length(state.turn) * length(turning) + state.bend) * (1 + 1e-12);
    speed = length(state.velocity) + length(turning);
  }
};

// Both triangles, and the directions that may part them.
class Parting {
 public:
  Parting(const Triangle& a, const State& moving_a, const Triangle& b, const State& moving_b,
          const Clearance& clearance)
      : a_(a), b_(b), clearance_(clearance) {
    double fastest = 0;
    for (int i = 0; i < 3; ++i) {
      corners_a_[i] = Corner(a[i], a[0], moving_a);
      corners_b_[i] = Corner(b[i], a[0], moving_b);
      fastest = std::max({fastest, corners_a_[i].speed, corners_b_[i].speed});
    }
    slack_ = 2 * kSpeedRounding * fastest;
  }

  // Tries a direction of any length, from a to b: the longest time counts, and the widest gap.
  void try_direction(const Vector& d, TriangleStep& step) const {
    const double size = length(d);
    if (!(size > 1e-150) || !(size < 1e150)) return;
    const Vector n = scaled(d, 1 / size);
    double gap = HUGE_VAL, safe = HUGE_VAL;
    for (const Corner& p : corners_a_) {
      for (const Corner& q : corners_b_) {
        const double apart = dot(n, difference(q.place, p.place));
        gap = std::min(gap, apart);
        const double rate = dot(n, difference(p.velocity, q.velocity)) + slack_;
        const double margin = apart - clearance_.floor - clearance_.rounding;
        safe = std::min(safe, safe_time(margin, rate, p.bend + q.bend));
      }
    }
    step.safe = std::max(step.safe, safe);
    if (gap <= step.gap) return;
    step.gap = gap;
    step.normal[0] = n.x, step.normal[1] = n.y, step.normal[2] = n.z;
  }
  void try_both(const Vector& d, TriangleStep& step) const {
    try_direction(d, step);
    try_direction(scaled(d, -1), step);
  }

  // The normals of both, those of pairs of edges, and of edges in their own plane: the best of the
  // first two kinds is the least overlap.
  void try_all(TriangleStep& step) const {
    const Vector normal_a = normal(a_), normal_b = normal(b_);
    try_both(normal_a, step);
    try_both(normal_b, step);
    for (int i = 0; i < 3; ++i) {
      const Vector u = from_to(a_[i], a_[(i + 1) % 3]), own = from_to(b_[i], b_[(i + 1) % 3]);
      try_both(cross(u, normal_a), step);
      try_both(cross(own, normal_b), step);
      for (int j = 0; j < 3; ++j) try_both(cross(u, from_to(b_[j], b_[(j + 1) % 3])), step);
    }
  }

 private:
  const Triangle &a_, &b_;
  const Clearance& clearance_;
  Corner corners_a_[3], corners_b_[3];
  double slack_;
};

}  // namespace

TriangleStep triangle_step(const Triangle& a, const State& moving_a, const Triangle& b,
                           const State& moving_b, const Clearance& clearance) {
  const Nearest nearest = triangle_distance(a, b);
  TriangleStep step{0, -HUGE_VAL, {0, 0, 0}, {}};
  std::copy_n(&nearest.points[0][0], 6, &step.points[0][0]);
  const Parting parting(a, moving_a, b, moving_b, clearance);
  parting.try_direction(from_to(nearest.points[0], nearest.points[1]), step);
  if (nearest.value == 0 || !(step.gap >= kLeft * nearest.value)) parting.try_all(step);
  step.gap = nearest.value > 0 ? nearest.value : std::min(step.gap, 0.0);
  return step;
}

}  // namespace impinge::motion
