#include "motion/linear/exact_meeting.hpp"

#include <algorithm>
#include <array>

namespace impinge::motion {
namespace {

// Whether both are on one side, of a line or of a point on one; neither is on it.
bool beside(int a, int b) { return a * b > 0; }

constexpr std::array<std::array<int, 2>, 3> kFaceEdges{{{1, 2}, {2, 3}, {3, 1}}};
constexpr std::array<std::array<int, 3>, 4> kEndsOnEdges{
    {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}}};

}  // namespace

ExactMeeting::Vector3 ExactMeeting::minus(const Vector3& p, const Vector3& q) {
  Vector3 r;
  for (int k = 0; k < 3; ++k) r.of[k] = p.of[k] - q.of[k];
  return r;
}

ExactMeeting::Vector3 ExactMeeting::cross(const Vector3& p, const Vector3& q) {
  Vector3 r;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    r.of[k] = p.of[i] * q.of[j] - p.of[j] * q.of[i];
  }
  return r;
}

// Of the triangle of three points, doubled, seen along each axis.
ExactMeeting::Vector3 ExactMeeting::area(int i, int j, int k) const {
  return cross(minus(point_[j], point_[i]), minus(point_[k], point_[i]));
}

ExactMeeting::ExactMeeting(FeaturePair pair, const Ends& ends) : pair_(pair) {
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) point_[i].of[k] = {ends.at[0][i][k], ends.at[1][i][k]};
  }
  normal_ = pair == FeaturePair::vertex_face
                ? area(1, 2, 3)
                : cross(minus(point_[1], point_[0]), minus(point_[3], point_[2]));
  const Vector3 across = minus(point_[0], point_[2]);
  for (int k = 0; k < 3; ++k) volume_ = volume_ + normal_.of[k] * across.of[k];
}

bool ExactMeeting::is_on_edge(const Instant& time, int vertex, int i, int j) const {
  const Vector3 turn = area(vertex, i, j);
  const Vector3 from = minus(point_[vertex], point_[i]), to = minus(point_[vertex], point_[j]);
  for (int k = 0; k < 3; ++k) {
    if (time.sign(turn.of[k]) != 0 || beside(time.sign(from.of[k]), time.sign(to.of[k]))) {
      return false;
    }
  }
  return true;
}

bool ExactMeeting::vertex_meets_face(const Instant& time) const {
  for (int k = 0; k < 3; ++k) {
    const int side = time.sign(normal_.of[k]);
    if (side == 0) continue;
    return std::none_of(kFaceEdges.begin(), kFaceEdges.end(), [&](const auto& edge) {
      return time.sign(area(0, edge[0], edge[1]).of[k]) * side < 0;
    });
  }
  // a face without area is its edges
  return std::any_of(kFaceEdges.begin(), kFaceEdges.end(),
                     [&](const auto& edge) { return is_on_edge(time, 0, edge[0], edge[1]); });
}

bool ExactMeeting::edges_meet(const Instant& time) const {
  for (int k = 0; k < 3; ++k) {
    if (time.sign(normal_.of[k]) == 0) continue;
    const auto side = [&](int i, int j, int point) { return time.sign(area(i, j, point).of[k]); };
    return !beside(side(0, 1, 2), side(0, 1, 3)) && !beside(side(2, 3, 0), side(2, 3, 1));
  }
  // parallel, or one is a point: then an end of one is on the other
  return std::any_of(kEndsOnEdges.begin(), kEndsOnEdges.end(),
                     [&](const auto& on) { return is_on_edge(time, on[0], on[1], on[2]); });
}

bool ExactMeeting::meets(const Instant& time) const {
  if (time.sign(volume_) != 0) return false;
  return pair_ == FeaturePair::vertex_face ? vertex_meets_face(time) : edges_meet(time);
}

bool ExactMeeting::meets_at_root(const Polynomial& p) const {
  if (p.degree() < 1) return false;
  const std::vector<Instant> roots = roots_inside(p);
  return std::any_of(roots.begin(), roots.end(), [&](const Instant& t) { return meets(t); });
}

bool ExactMeeting::ever() const {
  if (at_start() || meets(Instant(Dyadic(1.0)))) return true;
  return is_flat() ? meets_in_plane() : meets_at_root(volume_);
}

bool ExactMeeting::meets_in_plane() const {
  const auto any_root = [&](const Vector3& v) {
    return std::any_of(std::begin(v.of), std::end(v.of),
                       [&](const Polynomial& p) { return meets_at_root(p); });
  };
  if (any_root(normal_)) return true;
  const int first = first_of(pair_);
  for (int i = 0; i < first; ++i) {
    for (int j = first; j < 4; ++j) {
      if (any_root(minus(point_[i], point_[j]))) return true;
    }
  }
  if (pair_ == FeaturePair::vertex_face) {
    return std::any_of(kFaceEdges.begin(), kFaceEdges.end(),
                       [&](const auto& edge) { return any_root(area(0, edge[0], edge[1])); });
  }
  return std::any_of(kEndsOnEdges.begin(), kEndsOnEdges.end(),
                     [&](const auto& on) { return any_root(area(on[0], on[1], on[2])); });
}

}  // namespace impinge::motion
