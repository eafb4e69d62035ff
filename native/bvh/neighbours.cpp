#include "bvh/neighbours.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/filter.hpp"

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

}  // namespace impinge
