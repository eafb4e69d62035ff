#include "motion/linear/approach.hpp"

#include <limits>

#include "geometry/edge_edge.hpp"
#include "geometry/vertex_face.hpp"

namespace impinge::motion {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Where parts of a feature turn against each other, steps are short; smaller parts turn less.
constexpr int kStepsBeforeParts = 12, kDeepest = 20;
// Who comes so far is told as near as it is.
constexpr int kMostSteps = 1 << 14;

// The vector between the closest points so far.
class Closest {
 public:
  bool beaten_by(double squared) const { return squared < squared_; }
  // `side` tells whether p is of the first feature.
  void take(double squared, int side, const double* p, const double* q, const Vector& foot) {
    const Vector r = difference(from_to(q, p), foot);
    set(squared, side == 0 ? r : scaled(r, -1));
  }
  void take(double squared, const double* p, const Vector& along_p, const double* q,
            const Vector& along_q) {
    set(squared, difference(sum(from_to(q, p), along_p), along_q));
  }
  // `on` becomes the edge if this is the closest.
  void with_edge(const double* p, const TriangleEdge& edge, int side, const TriangleEdge*& on) {
    const double before = squared_;
    vertex_edge(p, edge, side, *this);
    if (squared_ < before) on = &edge;
  }
  double squared() const { return squared_; }
  const Vector& vector() const { return vector_; }

 private:
  void set(double squared, const Vector& r) {
    squared_ = squared;
    vector_ = r;
  }
  double squared_ = kNever;
  Vector vector_{};
};

double dot(const Vector& n, const double* p) { return n.x * p[0] + n.y * p[1] + n.z * p[2]; }

using impinge::dot;

// Whether the parallelogram of two vectors is so thin that its normal is mostly rounding.
bool is_thin(const Vector& u, const Vector& v, double area2) {
  return !(area2 > 0x1p-40 * dot(u, u) * dot(v, v));
}

// The normal, of any length, on the side of the vector.
Vector towards(const Vector& v, const Vector& normal) {
  return dot(v, normal) < 0 ? scaled(normal, -1) : normal;
}

// Without what is along the edge, where it is nearly perpendicular to it: else the edge has ended.
Vector across(const Vector& v, const TriangleEdge& edge) {
  const double along = dot(v, edge.along);
  if (!(along * along < 0x1p-20 * dot(v, v) * edge.length2)) return v;
  return difference(v, scaled(edge.along, along / edge.length2));
}

Vector unit(const Vector& v) { return scaled(v, 1 / std::sqrt(dot(v, v))); }

double squared_length(const double (&p)[2][4][3], int i, int j) {
  double longest = 0;
  for (int e = 0; e < 2; ++e) {
    const Vector v = from_to(p[e][i], p[e][j]);
    longest = std::max(longest, dot(v, v));
  }
  return longest;
}

}  // namespace

// Points that nearly touch tell no direction: the difference is all rounding. That of a face, or of
// two edges, is known from their sides instead, and an edge is perpendicular to its own.
double ApproachSearch::nearest(const Points& p, double time, Vector& direction) const {
  double at[4][3];
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) at[i][k] = (1 - time) * p[0][i][k] + time * p[1][i][k];
  }
  Closest closest;
  const auto finish = [&](const Vector& way) {
    direction = way;
    return std::sqrt(closest.squared());
  };
  if (pair_ == FeaturePair::vertex_face) {
    Triangle corners;
    for (int i = 0; i < 3; ++i) std::copy_n(at[i + 1], 3, corners.v[i]);
    const TriangleFeatures face(corners);
    vertex_inside(at[0], face, 0, closest);
    const bool is_inside = closest.squared() < kNever;
    if (is_inside && !is_thin(face.u, face.v, face.normal2)) {
      return finish(towards(closest.vector(), face.normal));
    }
    const TriangleEdge* on = nullptr;
    for (const TriangleEdge& edge : face.edges) closest.with_edge(at[0], edge, 0, on);
    return finish(on ? across(closest.vector(), *on) : closest.vector());
  }
  const TriangleEdge a(at[0], at[1]), b(at[2], at[3]);
  edge_edge(a, b, closest);
  const Vector normal = cross(a.along, b.along);
  const bool is_inside = closest.squared() < kNever;
  if (is_inside && !is_thin(a.along, b.along, dot(normal, normal))) {
    return finish(towards(closest.vector(), normal));
  }
  const TriangleEdge* on = nullptr;
  for (int i = 0; i < 2; ++i) {
    closest.with_edge(at[i], b, 0, on);
    closest.with_edge(at[2 + i], a, 1, on);
  }
  return finish(on ? across(closest.vector(), *on) : closest.vector());
}

// `time` itself if the direction does not part them there.
double ApproachSearch::free_until(const Points& p, const Vector& n, double time) const {
  const int first = first_of(pair_);
  double along[2][4];
  for (int e = 0; e < 2; ++e) {
    for (int i = 0; i < 4; ++i) along[e][i] = dot(n, p[e][i]);
  }
  double free = kNever;
  for (int i = 0; i < first; ++i) {
    for (int j = first; j < 4; ++j) {
      const double start = along[0][i] - along[0][j], end = along[1][i] - along[1][j];
      if (!((1 - time) * start + time * end > clear_)) return time;
      if (end > clear_) continue;
      free = std::min(free, (start - clear_) / (start - end));
    }
  }
  return free;
}

Approach ApproachSearch::run(const Points& p, double from, double until, int depth) const {
  double time = from;
  for (int step = 0;; ++step) {
    Vector n;
    const double gap = nearest(p, time, n);
    if (gap <= near_ || step == kMostSteps) return {time, gap};
    const double next = free_until(p, unit(n), time);
    if (next > until) return {kNever, gap};
    const bool is_stuck = !(next > time);
    if (is_stuck && depth == kDeepest) return {time, gap};
    if (depth < kDeepest && (is_stuck || step == kStepsBeforeParts)) {
      return run_parts(p, is_stuck ? time : next, until, depth);
    }
    time = next;
  }
}

// Of the halves of the longer edge the one that comes near first.
Approach ApproachSearch::run_parts(const Points& p, double from, double until, int depth) const {
  int i = 0, j = 1;
  if (pair_ == FeaturePair::vertex_face) {
    const double lengths[3] = {squared_length(p, 1, 2), squared_length(p, 2, 3),
                               squared_length(p, 3, 1)};
    const auto longest = std::max_element(lengths, lengths + 3) - lengths;
    i = 1 + static_cast<int>(longest);
    j = 1 + static_cast<int>(longest + 1) % 3;
  } else if (squared_length(p, 2, 3) > squared_length(p, 0, 1)) {
    i = 2;
    j = 3;
  }
  Approach best{kNever, 0};
  for (const int moved : {j, i}) {
    Points part;
    std::copy_n(&p[0][0][0], 24, &part[0][0][0]);
    for (int e = 0; e < 2; ++e) {
      for (int k = 0; k < 3; ++k) part[e][moved][k] = 0.5 * (p[e][i][k] + p[e][j][k]);
    }
    const Approach found = run(part, from, std::min(until, best.time), depth + 1);
    if (found.time < best.time) best = found;
  }
  return best;
}

}  // namespace impinge::motion
