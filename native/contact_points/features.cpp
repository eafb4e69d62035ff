#include "contact_points/features.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace impinge::contact_points {
namespace {

// Shares below are none: a foot this near an edge is on the edge, for all faces there alike.
constexpr double kNoShare = 1e-9;
// Edges whose directions differ less, and faces that are thinner, are degenerate; squared.
constexpr double kParallel = 1e-20;

Vector plus(const Vector& u, const Vector& v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }

double squared_to(const double* p, const Triangle& t, const double (&share)[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double at =
        share[0] * (t[0][k] - p[k]) + share[1] * (t[1][k] - p[k]) + share[2] * (t[2][k] - p[k]);
    sum += at * at;
  }
  return sum;
}

// Closest on the edge from corner i to the next.
void try_edge(const Triangle& triangle, int i, const double* p, Foot& best) {
  const int j = (i + 1) % 3;
  const Vector along = from_to(triangle[i], triangle[j]);
  const double length = dot(along, along);
  const double at = dot(from_to(triangle[i], p), along);
  const double s = length > 0 ? std::clamp(at / length, 0.0, 1.0) : 0.0;
  Foot foot{};
  foot.share[i] = 1 - s;
  foot.share[j] = s;
  foot.squared = squared_to(p, triangle, foot.share);
  if (foot.squared < best.squared) best = foot;
}

unsigned corners_of(const double (&share)[3]) {
  return unsigned(share[0] > kNoShare) | unsigned(share[1] > kNoShare) << 1 |
         unsigned(share[2] > kNoShare) << 2;
}

// The corners with a share, in order; -1 for the others.
struct Feature {
  std::int32_t id[3];
  bool operator==(const Feature&) const = default;

  Feature(const Skin& skin, std::int32_t face, unsigned corners) {
    for (unsigned i = 0; i < 3; ++i) id[i] = corners >> i & 1 ? skin.corners(face)[i] : -1;
    std::sort(id, id + 3);
  }
};

}  // namespace

Foot foot_on(const Triangle& triangle, const double* p) {
  Foot best{};
  best.squared = std::numeric_limits<double>::infinity();
  const Vector u = from_to(triangle[0], triangle[1]), v = from_to(triangle[0], triangle[2]);
  const Vector w = from_to(triangle[0], p), normal = cross(u, v);
  const double area = dot(normal, normal);
  const double s = dot(cross(w, v), normal), t = dot(cross(u, w), normal);
  const double least = kNoShare * area;
  if (area > kParallel * dot(u, u) * dot(v, v) && s > least && t > least && area - s - t > least) {
    best.share[1] = s / area;
    best.share[2] = t / area;
    best.share[0] = 1 - best.share[1] - best.share[2];
    best.squared = squared_to(p, triangle, best.share);
    best.corners = 7;
    return best;
  }
  for (int i = 0; i < 3; ++i) try_edge(triangle, i, p, best);
  best.corners = corners_of(best.share);
  return best;
}

bool bridge_of(const double* a0, const double* a1, const double* b0, const double* b1,
               Bridge& bridge) {
  const Vector u = from_to(a0, a1), v = from_to(b0, b1), w = from_to(a0, b0);
  const Vector normal = cross(u, v);
  const double area = dot(normal, normal);
  if (!(area > kParallel * dot(u, u) * dot(v, v))) return false;
  const double s = dot(cross(w, v), normal), t = dot(cross(w, u), normal);
  const double least = kNoShare * area, most = area - least;
  if (!(s > least && s < most && t > least && t < most)) return false;
  const double height = dot(w, normal);
  bridge = {s / area, t / area, height * height / area};
  return true;
}

bool is_closest_around(const Skin& skin, std::int32_t face, const Foot& foot, const double* p,
                       std::int32_t from) {
  if (foot.corners == 7) return true;
  const Feature feature(skin, face, foot.corners);
  // the ids are sorted, so that the last one is a vertex
  for (const std::int32_t other : skin.around(feature.id[2])) {
    if (other == face) continue;
    if (feature.id[1] >= 0 && !skin.is_corner(feature.id[1], other)) continue;
    if (other < face || (from >= 0 && skin.is_corner(from, other))) return false;
    const Foot beside = foot_on(skin.triangle(other), p);
    if (Feature(skin, other, beside.corners) != feature) return false;
  }
  return true;
}

bool is_closest_vertex(const Skin& skin, std::int32_t vertex, const double* p, std::int32_t from) {
  const auto faces = skin.around(vertex);
  return std::all_of(faces.begin(), faces.end(), [&](std::int32_t face) {
    if (from >= 0 && skin.is_corner(from, face)) return false;
    const unsigned corners = foot_on(skin.triangle(face), p).corners;
    return std::has_single_bit(corners) && skin.corners(face)[std::countr_zero(corners)] == vertex;
  });
}

Vector normal_at(const Skin& skin, std::int32_t face, const Foot& foot) {
  const std::int32_t* c = skin.corners(face);
  if (std::popcount(foot.corners) == 2) {
    const int i = foot.corners == 3 ? 0 : foot.corners == 6 ? 1 : 2;
    return edge_normal(skin, c[i], c[(i + 1) % 3]);
  }
  if (std::popcount(foot.corners) == 1) {
    Vector normal;
    skin.normal(c[std::countr_zero(foot.corners)], normal);
    return normal;
  }
  return skin.face_normal(face);
}

Vector edge_normal(const Skin& skin, std::int32_t from, std::int32_t to) {
  Vector sum{0, 0, 0};
  for (const std::int32_t face : skin.around(from)) {
    if (skin.is_corner(to, face)) sum = plus(sum, skin.face_normal(face));
  }
  return unit(sum);
}

}  // namespace impinge::contact_points
