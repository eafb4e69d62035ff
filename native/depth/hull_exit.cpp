#include "depth/hull_exit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "depth/support.hpp"

namespace impinge::depth {
namespace {

constexpr int kMostSteps = 400;
constexpr double kSmall = 1e-13;  // of the size of the differences

using Point = std::array<double, 3>;

Vector vector_of(const Point& p) { return {p[0], p[1], p[2]}; }
Vector negative(const Vector& v) { return scaled(v, -1); }

class ExpandingPolytope {
 public:
  ExpandingPolytope(const bvh::Tree& a, const bvh::Tree& b) : a_(a), b_(b) {}

  Vector exit() {
    if (!start()) return {0, 0, 0};
    for (int step = 0; step < kMostSteps; ++step) {
      const auto nearest =
          std::min_element(faces_.begin(), faces_.end(),
                           [](const Face& x, const Face& y) { return x.distance < y.distance; });
      const Face face = *nearest;
      const Point point = support(face.normal);
      if (dot(face.normal, vector_of(point)) <= face.distance + kSmall * size_) return face.normal;
      if (!grow(point)) return face.normal;
    }
    return std::min_element(faces_.begin(), faces_.end(),
                            [](const Face& x, const Face& y) { return x.distance < y.distance; })
        ->normal;
  }

 private:
  struct Face {
    std::array<std::int32_t, 3> corner;
    Vector normal;
    double distance;  // of its plane from zero, negative when zero is in front of it
  };
  struct Side {
    std::int32_t from, to;
  };

  Point support(const Vector& along) const {
    const double* p = farthest_vertex(a_, along);
    const double* q = farthest_vertex(b_, negative(along));
    return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
  }

  bool start() {
    const Vector axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Point ends[3][2];
    int longest = 0;
    for (int k = 0; k < 3; ++k) {
      ends[k][0] = support(axes[k]);
      ends[k][1] = support(negative(axes[k]));
      if (ends[k][0][k] - ends[k][1][k] > size_) {
        size_ = ends[k][0][k] - ends[k][1][k];
        longest = k;
      }
    }
    points_ = {ends[longest][0], ends[longest][1]};
    const Vector line = between(0, 1);
    if (!add_farthest(perpendicular(line))) return false;
    if (!add_farthest(cross(line, between(0, 2)))) return false;
    const bool turned = dot(cross(between(0, 1), between(0, 2)), between(0, 3)) > 0;
    const std::int32_t p = 0, q = turned ? 2 : 1, r = turned ? 1 : 2, s = 3;
    return add(p, q, r) && add(p, s, q) && add(q, s, r) && add(r, s, p);
  }

  Vector between(std::size_t i, std::size_t j) const {
    return from_to(points_[i].data(), points_[j].data());
  }
  static Vector perpendicular(const Vector& v) {
    const int axis = largest_axis(v);
    return axis == 0   ? Vector{-v.y, v.x, 0}
           : axis == 1 ? Vector{0, -v.z, v.y}
                       : Vector{v.z, 0, -v.x};
  }

  // The farther of both supports along a line; false when all is flat.
  bool add_farthest(const Vector& along) {
    const double most = max_norm(along);
    if (!std::isnormal(most)) return false;
    const Vector near_one = {along.x / most, along.y / most, along.z / most};
    const Vector n = scaled(near_one, 1 / std::sqrt(dot(near_one, near_one)));
    const Point one = support(n), other = support(negative(n));
    const double at = dot(n, vector_of(points_[0]));
    const double up = dot(n, vector_of(one)) - at, down = at - dot(n, vector_of(other));
    points_.push_back(up >= down ? one : other);
    return std::max(up, down) > kSmall * size_;
  }

  bool add(std::int32_t p, std::int32_t q, std::int32_t r) {
    const Vector n = cross(between(p, q), between(p, r));
    const double length = std::sqrt(dot(n, n));
    if (!(length > 0)) return false;
    const Vector unit = scaled(n, 1 / length);
    faces_.push_back({{p, q, r}, unit, dot(unit, vector_of(points_[p]))});
    return true;
  }

  // The hull with one more point; false when rounding is in the way.
  bool grow(const Point& point) {
    const auto id = static_cast<std::int32_t>(points_.size());
    points_.push_back(point);
    std::vector<Side> rim;
    const auto is_seen = [&](const Face& face) {
      return dot(face.normal, vector_of(point)) > face.distance + 0.5 * kSmall * size_;
    };
    for (const Face& face : faces_) {
      if (!is_seen(face)) continue;
      for (int k = 0; k < 3; ++k) toggle(rim, face.corner[k], face.corner[(k + 1) % 3]);
    }
    std::erase_if(faces_, is_seen);
    for (const Side& side : rim) {
      if (!add(side.from, side.to, id)) return false;
    }
    return !rim.empty();
  }

  // Sides of two faces that go are none of the rim.
  static void toggle(std::vector<Side>& rim, std::int32_t from, std::int32_t to) {
    const auto back = std::find_if(rim.begin(), rim.end(), [&](const Side& side) {
      return side.from == to && side.to == from;
    });
    if (back == rim.end()) {
      rim.push_back({from, to});
    } else {
      rim.erase(back);
    }
  }

  const bvh::Tree &a_, &b_;
  double size_ = 0;
  std::vector<Point> points_;
  std::vector<Face> faces_;
};

}  // namespace

Vector hull_exit(const bvh::Tree& a, const bvh::Tree& b) { return ExpandingPolytope(a, b).exit(); }

double exit_length(const bvh::Tree& a, const bvh::Tree& b, const Vector& along) {
  const double *p = farthest_vertex(a, along), *q = farthest_vertex(b, negative(along));
  return dot(along, from_to(q, p));
}

}  // namespace impinge::depth
