#include "depth/split.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/facing.hpp"

namespace impinge::depth {
namespace {

using Point = std::array<double, 3>;
using Polygon = std::vector<Point>;

// Below this share of the distance between the corners, a cut would only make slivers.
constexpr double kSliver = 0x1p-40;
constexpr double kRounding = 0x1p-48;
// More than this share of the area would be no progress.
constexpr double kAll = 1 - 1e-3;

// Points on one side of a wall beside a triangle, over one of its sides, have values above 0: those
// farther away.
class Wall {
 public:
  Wall(const Triangle& base, int side, double away)
      : Wall(base[side], cross(from_to(base[side], base[corner_after(side)]), normal(base)), away) {
  }

  double operator()(const double* point) const { return dot(from_to(at_, point), out_) - away_; }

  // Parallel to the triangle, in front of it.
  static Wall before(const Triangle& base, double away) { return {base[0], normal(base), away}; }

 private:
  Wall(const double* at, const Vector& out, double away)
      : at_(at), out_(out), away_(away * std::sqrt(dot(out, out))) {}

  const double* at_;
  const Vector out_;
  const double away_;
};

void add_fan(const Polygon& polygon, std::vector<Triangle>& parts) {
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    Triangle part;
    std::copy_n(polygon[0].data(), 3, part.v[0]);
    std::copy_n(polygon[i - 1].data(), 3, part.v[1]);
    std::copy_n(polygon[i].data(), 3, part.v[2]);
    parts.push_back(part);
  }
}

Point between(const Point& a, const Point& b, double share) {
  Point point;
  for (int k = 0; k < 3; ++k) point[k] = a[k] + share * (b[k] - a[k]);
  return point;
}

// Takes what is outside off the polygon.
Polygon cut_off(Polygon& polygon, const Wall& wall) {
  std::vector<double> height;
  for (const Point& point : polygon) height.push_back(wall(point.data()));
  if (height.empty()) return {};
  const auto [low, high] = std::minmax_element(height.begin(), height.end());
  const double least = kSliver * (*high - *low);
  if (*high <= least) return {};
  if (*low >= -least) return std::exchange(polygon, {});
  Polygon inside, outside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t next = i + 1 < polygon.size() ? i + 1 : 0;
    if (height[i] <= 0) inside.push_back(polygon[i]);
    if (height[i] >= 0) outside.push_back(polygon[i]);
    if ((height[i] < 0) == (height[next] < 0) || height[i] == 0 || height[next] == 0) continue;
    const Point cut = between(polygon[i], polygon[next], height[i] / (height[i] - height[next]));
    inside.push_back(cut);
    outside.push_back(cut);
  }
  polygon = std::move(inside);
  return outside;
}

// Nothing when no part is over the base.
void split_by_prism(const Triangle& t, const Triangle& base, double grown,
                    std::vector<Triangle>& parts) {
  Polygon rest;
  for (int k = 0; k < 3; ++k) rest.push_back({t[k][0], t[k][1], t[k][2]});
  for (int side = 0; side < 3; ++side) add_fan(cut_off(rest, Wall(base, side, grown)), parts);
  if (grown > 0) {
    const Triangle turned{{{base[0][0], base[0][1], base[0][2]},
                           {base[2][0], base[2][1], base[2][2]},
                           {base[1][0], base[1][1], base[1][2]}}};
    add_fan(cut_off(rest, Wall::before(base, grown)), parts);
    add_fan(cut_off(rest, Wall::before(turned, grown)), parts);
  }
  if (rest.size() < 3) parts.clear();
  add_fan(rest, parts);
}

double squared_side(const Triangle& t, int k) {
  const Vector along = from_to(t[k], t[corner_after(k)]);
  return dot(along, along);
}

int longest_side(const Triangle& t) {
  int side = 0;
  for (int k = 1; k < 3; ++k) {
    if (squared_side(t, k) > squared_side(t, side)) side = k;
  }
  return side;
}

double twice_area(const Triangle& t) {
  const Vector n = cross(from_to(t[0], t[1]), from_to(t[0], t[2]));
  return std::sqrt(dot(n, n));
}

// Whether the corners are on a line, but for what rounds off.
bool is_segment(const Triangle& t) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, std::abs(t[k][0]), std::abs(t[k][1]), std::abs(t[k][2])});
  }
  return twice_area(t) <= kRounding * largest * std::sqrt(squared_side(t, longest_side(t)));
}

// The halves of its longest side.
void halve(const Triangle& t, std::vector<Triangle>& parts) {
  const int side = longest_side(t), next = corner_after(side);
  Triangle one, other;
  for (int k = 0; k < 3; ++k) {
    one.v[0][k] = t.v[side][k];
    other.v[0][k] = t.v[next][k];
    const double middle = 0.5 * (t.v[side][k] + t.v[next][k]);
    one.v[1][k] = one.v[2][k] = other.v[1][k] = other.v[2][k] = middle;
  }
  parts.push_back(one);
  parts.push_back(other);
}

void bisect(const Triangle& t, std::vector<Triangle>& parts) {
  const int side = longest_side(t);
  Triangle one = t, other = t;
  const int next = corner_after(side);
  for (int k = 0; k < 3; ++k) {
    one.v[next][k] = other.v[side][k] = 0.5 * (t.v[side][k] + t.v[next][k]);
  }
  parts.push_back(one);
  parts.push_back(other);
}

}  // namespace

Disc::Disc(const Triangle& t) {
  for (int k = 0; k < 3; ++k) centre[k] = (t[0][k] + t[1][k] + t[2][k]) / 3;
  for (int i = 0; i < 3; ++i) {
    const Vector to = from_to(centre, t[i]);
    radius = std::max(radius, dot(to, to));
  }
  radius = std::sqrt(radius);
}

void split(const Triangle& t, const Triangle& base, double grown, std::vector<Triangle>& parts) {
  parts.clear();
  if (is_segment(t)) return halve(t, parts);
  const double area = twice_area(t);
  split_by_prism(t, base, grown, parts);
  const bool are_smaller = std::all_of(parts.begin(), parts.end(), [&](const Triangle& part) {
    return twice_area(part) < kAll * area;
  });
  if (parts.size() >= 2 && are_smaller) return;
  parts.clear();
  bisect(t, parts);
}

}  // namespace impinge::depth
