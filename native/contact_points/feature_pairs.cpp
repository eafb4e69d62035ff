#include "contact_points/feature_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/lanes.hpp"

namespace impinge::contact_points {

void FeaturePairs::add(const FeatureSide& a, const FeatureSide& b, const FacePair& faces) {
  const Member first(a, faces.a), second(b, faces.b);
  add_vertices(first, second);
  add_vertices(second, first);
  add_edges(first, second);
}

// Whether the box of a triangle is so far from a point that `foot_on` finds no foot in reach. Where
// the corners are farther than that along one axis, all on one side, their weighted sum is too: no
// term of it cancels another, so that it is right to a few units in the last place.
bool FeaturePairs::is_beside(const Triangle& triangle, const double* p) const {
  for (int k = 0; k < 3; ++k) {
    const double u = triangle[0][k] - p[k], v = triangle[1][k] - p[k], w = triangle[2][k] - p[k];
    if (std::min({u, v, w}) > reach_ || std::max({u, v, w}) < -reach_) return true;
  }
  return false;
}

// Vertices of a with the face b, its edges and its corners.
void FeaturePairs::add_vertices(const Member& a, const Member& b) {
  const bool self = a.side.body == b.side.body;
  for_each_bit(a.duties.vertices, [&](int c) {
    const std::int32_t vertex = a.corners()[c];
    if (self && b.side.skin.is_corner(vertex, b.face)) return;
    if (is_beside(b.at, a.at[c])) return;
    const Foot foot = foot_on(b.at, a.at[c]);
    if (!(foot.squared < squared_)) return;
    if (!is_closest_around(b.side.skin, b.face, foot, a.at[c], self ? vertex : -1)) return;
    if (was_found(a, vertex, b, foot)) return;
    out_.push_back(vertex_face_contact(a.side.body, vertex, a.at[c], b.side.body, b.face,
                                       b.side.skin.face(b.face), b.at, foot.share[1],
                                       foot.share[2]));
    finish(normal_at(b.side.skin, b.face, foot));
  });
}

// Two vertices that are closest to each other are met from both sides; the first one has them.
bool FeaturePairs::was_found(const Member& a, std::int32_t vertex, const Member& b,
                             const Foot& foot) const {
  if (!std::has_single_bit(foot.corners)) return false;
  const bool self = a.side.body == b.side.body;
  const std::int32_t other = b.corners()[std::countr_zero(foot.corners)];
  if (self ? vertex < other : a.side.body < b.side.body) return false;
  return is_closest_vertex(a.side.skin, vertex, b.side.skin.vertex(other), self ? other : -1);
}

void FeaturePairs::add_edges(const Member& a, const Member& b) {
  const bool self = a.side.body == b.side.body;
  for_each_bit(a.duties.edges, [&](int i) {
    for_each_bit(b.duties.edges, [&](int k) {
      const int j = (i + 1) % 3, l = (k + 1) % 3;
      const std::int32_t *p = a.corners(), *q = b.corners();
      if (self && (p[i] == q[k] || p[i] == q[l] || p[j] == q[k] || p[j] == q[l])) return;
      Bridge bridge;
      if (bridge_of(a.at[i], a.at[j], b.at[k], b.at[l], bridge) && bridge.squared < squared_) {
        add_bridge(a, i, b, k, bridge);
      }
    });
  });
}

void FeaturePairs::add_bridge(const Member& a, int i, const Member& b, int k,
                              const Bridge& bridge) {
  const int j = (i + 1) % 3, l = (k + 1) % 3;
  const std::int32_t *p = a.side.skin.face(a.face), *q = b.side.skin.face(b.face);
  PointContact c{};
  const std::int32_t vertices[4] = {p[i], p[j], q[k], q[l]};
  const double coefficients[4] = {1 - bridge.s, bridge.s, bridge.t - 1, -bridge.t};
  for (int x = 0; x < 4; ++x) {
    c.vertex[x] = vertices[x];
    c.owner[x] = x < 2 ? a.side.body : b.side.body;
    c.coefficient[x] = coefficients[x];
  }
  c.body[0] = a.side.body;
  c.body[1] = b.side.body;
  c.face = -1;
  for (int x = 0; x < 3; ++x) {
    c.point[0][x] = (1 - bridge.s) * a.at[i][x] + bridge.s * a.at[j][x];
    c.point[1][x] = (1 - bridge.t) * b.at[k][x] + bridge.t * b.at[l][x];
  }
  out_.push_back(c);
  // perpendicular to both edges, on the outer side of the second
  const Vector normal = cross(from_to(a.at[i], a.at[j]), from_to(b.at[k], b.at[l]));
  const Vector outward = edge_normal(b.side.skin, b.corners()[k], b.corners()[l]);
  finish(scaled(normal, (dot(normal, outward) < 0 ? -1 : 1) / std::sqrt(dot(normal, normal))));
}

// Without an area around there is no normal: the way to the first point stands for it.
void FeaturePairs::finish(Vector normal) {
  PointContact& c = out_.back();
  if (dot(normal, normal) == 0) {
    const Vector gap = from_to(c.point[1], c.point[0]);
    const double length = std::sqrt(dot(gap, gap));
    normal = length > 0 ? scaled(gap, 1 / length) : Vector{0, 0, 1};
  }
  c.normal = normal;
  c.weight = 1;
}

}  // namespace impinge::contact_points
