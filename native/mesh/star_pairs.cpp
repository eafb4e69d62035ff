#include "mesh/star_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/plane.hpp"
#include "geometry/tolerance.hpp"
#include "geometry/vec.hpp"

namespace impinge {
namespace {

struct Arm {
  float x, y, z;
};

float determinant(const Arm& p, const Arm& q, const Arm& r) {
  return (p.y * q.z - p.z * q.y) * r.x + (p.z * q.x - p.x * q.z) * r.y +
         (p.x * q.y - p.y * q.x) * r.z;
}

bool contains(const std::int32_t (&triangle)[3], std::int32_t id) {
  return triangle[0] == id || triangle[1] == id || triangle[2] == id;
}

}  // namespace

bool certainly_only_neighbours(const Point4* points, const std::int32_t (&a)[3],
                               const std::int32_t (&b)[3], float error) {
  std::int32_t common[3], own_a[3], own_b[3];
  int shared = 0, count_a = 0, count_b = 0;
  for (int i = 0; i < 3; ++i) {
    if (contains(b, a[i])) {
      common[shared++] = a[i];
    } else {
      own_a[count_a++] = a[i];
    }
    if (!contains(a, b[i])) own_b[count_b++] = b[i];
  }
  // Repeated corners are left to the exact test; so are three common ones.
  const auto repeats = [](const std::int32_t (&t)[3]) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  };
  if (shared < 1 || shared > 2 || repeats(a) || repeats(b)) return false;

  const Point4& origin = points[common[0]];
  float size = 0;
  const auto arm = [&](std::int32_t id) {
    const Point4& p = points[id];
    const Arm v{p.x - origin.x, p.y - origin.y, p.z - origin.z};
    size = std::max({size, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
    return v;
  };
  const Arm p = arm(own_a[0]), q = arm(shared == 2 ? common[1] : own_a[1]);
  const Arm r = arm(own_b[0]), s = shared == 2 ? q : arm(own_b[1]);
  size += 4 * error;
  const float bound = tolerance(size, error);
  const auto beyond = [bound](float x, float y) {
    return (x > bound && y > bound) || (x < -bound && y < -bound);
  };
  const float r_above = determinant(p, q, r);
  if (shared == 2) return beyond(r_above, r_above);
  return beyond(r_above, determinant(p, q, s)) ||
         beyond(determinant(r, s, p), determinant(r, s, q));
}

void place_sectors(std::vector<Sector>& sectors, const Point4* points, std::int32_t vertex,
                   float error) {
  const auto arm = [&](std::int32_t id) {
    const Point4 &p = points[id], &origin = points[vertex];
    return Vector{double{p.x} - origin.x, double{p.y} - origin.y, double{p.z} - origin.z};
  };
  Vector mean{0, 0, 0};
  for (const Sector& s : sectors) {
    const Vector n = cross(arm(s.id[0]), arm(s.id[1]));
    const double sign = dot(n, mean) < 0 ? -1 : 1;
    mean = {mean.x + sign * n.x, mean.y + sign * n.y, mean.z + sign * n.z};
  }
  // any two directions across it will do
  const int largest = largest_axis(mean);
  const Vector across = largest == 0 ? Vector{0, 1, 0} : Vector{1, 0, 0};
  const auto unit = [](const Vector& v) {
    const double length = std::sqrt(dot(v, v));
    return length > 1e-30 ? scaled(v, 1 / length) : Vector{1, 0, 0};
  };
  const Vector e = unit(cross(mean, across)), f = unit(cross(mean, e));
  for (Sector& s : sectors) {
    double angle[2], slack = 1e-12;
    for (int k = 0; k < 2; ++k) {
      const Vector v = arm(s.id[k]);
      const double x = dot(v, e), y = dot(v, f), length = std::hypot(x, y);
      // a corner and the vertex are each off by the error along each axis
      const double off = 4.0 * static_cast<double>(error) + 1e-14;
      s.all_around = s.all_around || !(length > 4 * off);
      slack = std::max(slack, s.all_around ? 0.0 : 2 * off / length + 1e-12);
      angle[k] = std::atan2(y, x);
    }
    double wide = angle[1] - angle[0];
    if (wide > std::numbers::pi) wide -= 2 * std::numbers::pi;
    if (wide < -std::numbers::pi) wide += 2 * std::numbers::pi;
    s.all_around = s.all_around || std::abs(wide) + 4 * slack > std::numbers::pi;
    s.begin = (wide >= 0 ? angle[0] : angle[1]) - slack;
    s.end = s.begin + std::abs(wide) + 2 * slack;
  }
  std::sort(sectors.begin(), sectors.end(), [](const Sector& p, const Sector& q) {
    return std::tie(q.all_around, p.begin, p.slot) < std::tie(p.all_around, q.begin, q.slot);
  });
}

void StarPart::measure(const Point4* points, std::int32_t vertex) {
  for (int i = count; i < kLanes; ++i) {
    id[0][i] = id[0][count - 1];
    id[1][i] = id[1][count - 1];
  }
  const Point4& origin = points[vertex];
  const Float8 centre[3] = {Float8(origin.x), Float8(origin.y), Float8(origin.z)};
  Point8 p[2];
  Float8 largest(0.0f);
  for (int end = 0; end < 2; ++end) {
    p[end] = gather(points, id[end]);
    for (int k = 0; k < 3; ++k) {
      p[end].at[k] = p[end].at[k] - centre[k];
      p[end].at[k].store(arm[end][k]);
      largest = max(largest, abs(p[end].at[k]));
    }
  }
  for (int k = 0; k < 3; ++k) {
    const int y = (k + 1) % 3, z = (k + 2) % 3;
    mul_sub(p[0].at[y], p[1].at[z], p[0].at[z] * p[1].at[y]).store(normal[k]);
  }
  largest.store(size);
  const Int8 first = Int8::load(id[0]), second = Int8::load(id[1]), middle(vertex);
  repeating = bits((first == second) | (first == middle) | (second == middle));
}

unsigned doubtful(const StarPart& a, int row, const StarPart& b, std::int32_t vertex, float error) {
  const Int8 p(a.id[0][row]), q(a.id[1][row]), middle(vertex);
  const Int8 r = Int8::load(b.id[0]), s = Int8::load(b.id[1]);
  const Mask8 r_shared = (p == r) | (q == r), s_shared = (p == s) | (q == s);
  const unsigned elsewhere = bits((r_shared & (middle > r)) | (s_shared & (middle > s)));

  const auto one = [row](const float (&v)[3][kLanes]) {
    return Point8{{Float8(v[0][row]), Float8(v[1][row]), Float8(v[2][row])}};
  };
  const auto eight = [](const float (&v)[3][kLanes]) {
    return Point8{{Float8::load(v[0]), Float8::load(v[1]), Float8::load(v[2])}};
  };
  const Point8 normal_a = one(a.normal), normal_b = eight(b.normal);
  const Float8 r_above = dot(normal_a, eight(b.arm[0])), s_above = dot(normal_a, eight(b.arm[1]));
  const Float8 p_above = dot(normal_b, one(a.arm[0])), q_above = dot(normal_b, one(a.arm[1]));
  const Float8 size = max(Float8(a.size[row]), Float8::load(b.size)) + Float8(4 * error);
  const Float8 bound = tolerance(size, error), minus_bound = Float8(0.0f) - bound;
  const auto beyond = [&](Float8 x, Float8 y) {
    return (min(x, y) > bound) | (minus_bound > max(x, y));
  };
  // A shared corner lies in the plane: the other one alone decides.
  const Mask8 parted =
      beyond(select(r_shared, s_above, r_above), select(s_shared, r_above, s_above)) |
      beyond(p_above, q_above);
  const unsigned odd =
      bits(r_shared & s_shared) | b.repeating | (a.repeating >> row & 1 ? 255u : 0u);
  return (~bits(parted) | odd) & ~elsewhere & ((1u << b.count) - 1);
}

}  // namespace impinge
