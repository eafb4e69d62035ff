#include "geometry/moller.hpp"

#include <algorithm>

namespace impinge {
namespace {

struct Planar {
  double x, y;
};

double turn(const Planar& a, const Planar& b, const Planar& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool in_box(const Planar& p, const Planar& a, const Planar& b) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

int sign(double x) { return (x > 0) - (x < 0); }

bool segments_meet(const Planar& a, const Planar& b, const Planar& c, const Planar& d) {
  const int c_side = sign(turn(a, b, c)), d_side = sign(turn(a, b, d));
  const int a_side = sign(turn(c, d, a)), b_side = sign(turn(c, d, b));
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && in_box(c, a, b)) || (d_side == 0 && in_box(d, a, b)) ||
         (a_side == 0 && in_box(a, c, d)) || (b_side == 0 && in_box(b, c, d));
}

bool contains(const Planar (&t)[3], const Planar& p) {
  const int s[3] = {sign(turn(t[0], t[1], p)), sign(turn(t[1], t[2], p)),
                    sign(turn(t[2], t[0], p))};
  return (s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0);
}

struct Interval {
  double low, high;
};

bool apart(const double (&d)[3]) {
  return (d[0] > 0 && d[1] > 0 && d[2] > 0) || (d[0] < 0 && d[1] < 0 && d[2] < 0);
}

// Where the triangle, with distances d to the other plane, meets the common line; p: the vertices
// projected on the line. Not all distances are zero.
Interval interval(const double (&p)[3], const double (&d)[3]) {
  int alone = 0;
  for (int i = 0; i < 3; ++i) {
    const int s = sign(d[i]), t = sign(d[(i + 1) % 3]), r = sign(d[(i + 2) % 3]);
    if (s != 0 && s != t && s != r) alone = i;  // the others are on the plane or beyond it
    if (s == 0 && t != 0 && t == r) alone = i;  // it touches
  }
  const int next = (alone + 1) % 3, last = (alone + 2) % 3;
  const auto crossing = [&](int i) {
    return p[alone] + (p[i] - p[alone]) * d[alone] / (d[alone] - d[i]);
  };
  const double s = crossing(next), t = crossing(last);
  return {std::min(s, t), std::max(s, t)};
}

}  // namespace

bool overlap_along(const Triangle& a, const Triangle& b, int axis) {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  Planar p[3], q[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = {a[i][x], a[i][y]};
    q[i] = {b[i][x], b[i][y]};
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (segments_meet(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3])) return true;
    }
  }
  return contains(p, q[0]) || contains(q, p[0]);
}

bool moller(const Triangle& a, const Triangle& b) {
  const Vector a_normal = normal(a), b_normal = normal(b);
  double a_distance[3], b_distance[3];
  for (int i = 0; i < 3; ++i) a_distance[i] = dot(b_normal, from_to(b[0], a[i]));
  if (apart(a_distance)) return false;
  for (int i = 0; i < 3; ++i) b_distance[i] = dot(a_normal, from_to(a[0], b[i]));
  if (apart(b_distance)) return false;
  const auto zero = [](const double (&d)[3]) { return d[0] == 0 && d[1] == 0 && d[2] == 0; };
  if (zero(a_distance) || zero(b_distance)) return overlap_along(a, b, largest_axis(a_normal));

  const int axis = largest_axis(cross(a_normal, b_normal));
  double p[3], q[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = a[i][axis];
    q[i] = b[i][axis];
  }
  const Interval s = interval(p, a_distance), t = interval(q, b_distance);
  return s.low <= t.high && t.low <= s.high;
}

}  // namespace impinge
