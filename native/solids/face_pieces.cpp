#include "solids/face_pieces.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/tree/placed_tree.hpp"
#include "geometry/orient.hpp"
#include "solids/piece_side.hpp"

namespace impinge::solids {
namespace {

// Smaller parts, in shares of the face, are rounding.
constexpr double kSmallest = 1e-12;

// In a face: shares of the ways from its first corner to the others.
struct Place {
  double s, t;
};
using Polygon = std::vector<Place>;

double area(const Polygon& p) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    sum += (p[i].s - p[0].s) * (p[i + 1].t - p[0].t) - (p[i].t - p[0].t) * (p[i + 1].s - p[0].s);
  }
  return 0.5 * sum;
}

// A linear function of places.
struct Line {
  double at_corner[3];

  double operator()(const Place& p) const {
    return at_corner[0] + p.s * (at_corner[1] - at_corner[0]) + p.t * (at_corner[2] - at_corner[0]);
  }
};

// The parts of a convex polygon where a line is positive and negative.
struct Halves {
  Polygon above, below;
  Place end[2];  // of the cut

  Halves(const Polygon& polygon, const Line& line) {
    int ends = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Place &p = polygon[i], &q = polygon[i + 1 < polygon.size() ? i + 1 : 0];
      const double x = line(p), y = line(q);
      if (x >= 0) above.push_back(p);
      if (x <= 0) below.push_back(p);
      if (x == 0 && ends < 2) end[ends++] = p;
      if ((x > 0 && y < 0) || (x < 0 && y > 0)) {
        const double share = x / (x - y);
        const Place cut{p.s + share * (q.s - p.s), p.t + share * (q.t - p.t)};
        above.push_back(cut);
        below.push_back(cut);
        if (ends < 2) end[ends++] = cut;
      }
    }
  }
  bool are_both() const { return area(above) > kSmallest && area(below) > kSmallest; }
};

class Cutting {
 public:
  explicit Cutting(const Triangle& face)
      : face_(face), normal_(normal(face)), axis_(largest_axis(normal_)) {
    polygons.push_back({{0, 0}, {1, 0}, {0, 1}});
  }

  void cut(const Triangle& by) {
    Line heights;
    int flat = 0;
    for (int i = 0; i < 3; ++i) {
      const bool in_plane = orient3d(by[0], by[1], by[2], face_[i]) == 0;
      heights.at_corner[i] = in_plane ? 0 : estimate3d(by[0], by[1], by[2], face_[i]).value;
      flat += in_plane;
    }
    std::vector<Polygon> next;
    for (const Polygon& polygon : polygons) {
      if (flat == 3) {
        part_by_outline(polygon, by, next);
      } else {
        part_by_plane(polygon, by, heights, next);
      }
    }
    polygons.swap(next);
  }

  std::vector<Polygon> polygons;

  Triangle triangle(const Place& p, const Place& q, const Place& r) const {
    Triangle t;
    const Place* const places[3] = {&p, &q, &r};
    for (int i = 0; i < 3; ++i) at(*places[i], t.v[i]);
    return t;
  }

 private:
  void at(const Place& p, double* point) const {
    for (int k = 0; k < 3; ++k) {
      point[k] =
          face_[0][k] + p.s * (face_[1][k] - face_[0][k]) + p.t * (face_[2][k] - face_[0][k]);
    }
  }

  // Where its plane passes, if the cutter itself does.
  void part_by_plane(const Polygon& polygon, const Triangle& by, const Line& heights,
                     std::vector<Polygon>& parts) const {
    Halves halves(polygon, heights);
    if (!halves.are_both() || !reaches(by, halves.end)) {
      parts.push_back(polygon);
      return;
    }
    parts.push_back(std::move(halves.above));
    parts.push_back(std::move(halves.below));
  }

  // Whether a triangle has a part of a segment in its plane.
  bool reaches(const Triangle& by, const Place (&end)[2]) const {
    double p[2][3];
    for (int i = 0; i < 2; ++i) at(end[i], p[i]);
    const Vector n = normal(by);
    double begin = 0, until = 1;
    for (int i = 0; i < 3; ++i) {
      const Vector inward = cross(n, from_to(by[i], by[i == 2 ? 0 : i + 1]));
      const double slack = kSmallest * max_norm(inward) * max_norm(from_to(by[0], p[0]));
      const double x = dot(inward, from_to(by[i], p[0])) + slack;
      const double y = dot(inward, from_to(by[i], p[1])) + slack;
      if (x < 0 && y < 0) return false;
      if (x < 0) begin = std::max(begin, x / (x - y));
      if (y < 0) until = std::min(until, x / (x - y));
    }
    return until - begin > kSmallest;
  }

  // The part within a triangle of the same plane, and those outside of each of its edges.
  void part_by_outline(const Polygon& polygon, const Triangle& by,
                       std::vector<Polygon>& parts) const {
    const int turn = orient2d(by[0], by[1], by[2], axis_);
    std::vector<Polygon> outside;
    Polygon inside = polygon;
    for (int i = 0; i < 3; ++i) {
      Line edge;
      for (int k = 0; k < 3; ++k) {
        edge.at_corner[k] = turn * across(by[i], by[i == 2 ? 0 : i + 1], face_[k]);
      }
      Halves halves(inside, edge);
      if (area(halves.above) <= kSmallest) {
        parts.push_back(polygon);
        return;
      }
      if (area(halves.below) > kSmallest) outside.push_back(std::move(halves.below));
      inside = std::move(halves.above);
    }
    parts.push_back(std::move(inside));
    for (Polygon& one : outside) parts.push_back(std::move(one));
  }

  // Of the triangle a, b, c, seen along the axis.
  double across(const double* a, const double* b, const double* c) const {
    if (orient2d(a, b, c, axis_) == 0) return 0;
    const int x = axis_ == 2 ? 0 : axis_ + 1, y = axis_ == 0 ? 2 : axis_ - 1;
    return (a[x] - c[x]) * (b[y] - c[y]) - (a[y] - c[y]) * (b[x] - c[x]);
  }

  const Triangle& face_;
  const Vector normal_;
  const int axis_;
};

// Whether a part bounds the solid: near its middle, at another place when a face passes there.
bool bounds_solid(const bvh::Tree& tree, std::size_t slot, const Polygon& polygon, Sense sense,
                  int axis) {
  for (std::size_t from = 0; from < polygon.size(); ++from) {
    double s = 0, t = 0, weights = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const double weight = 1 + (i == from ? 0.37 : 0.0) * static_cast<double>(from);
      s += weight * polygon[i].s;
      t += weight * polygon[i].t;
      weights += weight;
    }
    const PlaceInFace place(s / weights, t / weights);
    if (const auto found = bounds_solid_at(tree, slot, place, sense, axis)) return *found;
  }
  return false;
}

}  // namespace

std::vector<Triangle> boundary_pieces(const bvh::Tree& tree, std::size_t slot,
                                      std::span<const std::int32_t> cutters, Sense sense,
                                      int axis) {
  const bvh::PlacedTree placed{&tree, Pose()};
  const Triangle face = placed.triangle(slot);
  Cutting cutting(face);
  for (const std::int32_t other : cutters) cutting.cut(placed.triangle_of_face(other));
  std::vector<Triangle> pieces;
  for (const Polygon& polygon : cutting.polygons) {
    if (!bounds_solid(tree, slot, polygon, sense, axis)) continue;
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
      pieces.push_back(cutting.triangle(polygon[0], polygon[i], polygon[i + 1]));
    }
  }
  return pieces;
}

}  // namespace impinge::solids
