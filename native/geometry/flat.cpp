#include "geometry/flat.hpp"

#include "geometry/clip.hpp"
#include "geometry/hull.hpp"
#include "geometry/orient.hpp"

namespace impinge {
namespace {

Meeting point_meeting(const Site& site) {
  Meeting meeting;
  meeting.kind = Kind::point;
  meeting.add(site);
  return meeting;
}

// A segment whose line crosses the triangle's plane in one point; `start`, `end`: sides of its
// ends.
Meeting pierce(const Hull& segment, int start, int end, const Triangle& t) {
  const double *p = segment.point[0], *q = segment.point[1];
  int turn[3];
  for (int i = 0; i < 3; ++i) turn[i] = orient3d(p, q, t[i], t[(i + 1) % 3]);
  const bool left = turn[0] > 0 || turn[1] > 0 || turn[2] > 0;
  const bool right = turn[0] < 0 || turn[1] < 0 || turn[2] < 0;
  if (left && right) return {};
  if (start == 0) return point_meeting(vertex_site(p));
  if (end == 0) return point_meeting(vertex_site(q));
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    if (turn[i] == 0 && turn[next] == 0) return point_meeting(vertex_site(t[next]));
  }
  for (int i = 0; i < 3; ++i) {
    if (turn[i] == 0) return point_meeting(edge_edge_site(p, q, t[i], t[(i + 1) % 3]));
  }
  return point_meeting(edge_face_site(p, q, t));
}

// A point or segment against a triangle with area.
Meeting meet_triangle(const Hull& thin, const Triangle& t, const Hull& window) {
  const Plane plane(t[0], t[1], t[2]);
  const int start = plane.side(thin.point[0]);
  const int end = thin.size == 2 ? plane.side(thin.point[1]) : start;
  if (start == 0 && end == 0) return clip(thin, window);
  if (start == end) return {};
  return pierce(thin, start, end, t);
}

// Segments on one line, each with its ends in order.
Meeting overlap(const Hull& p, const Hull& q) {
  const double* low = before(p.point[0], q.point[0]) ? q.point[0] : p.point[0];
  const double* high = before(p.point[1], q.point[1]) ? p.point[1] : q.point[1];
  if (before(high, low)) return {};
  if (same_point(low, high)) return point_meeting(vertex_site(low));
  Meeting meeting;
  meeting.kind = Kind::segment;
  meeting.add(vertex_site(low));
  meeting.add(vertex_site(high));
  return meeting;
}

// Two segments, or points as segments of no length.
Meeting meet_segments(const Hull& p, const Hull& q) {
  const double *a = p.point[0], *b = p.point[1], *c = q.point[0], *d = q.point[1];
  if (orient3d(a, b, c, d) != 0) return {};
  for (int axis = 0; axis < 3; ++axis) {
    const int c_side = orient2d(a, b, c, axis), d_side = orient2d(a, b, d, axis);
    const int a_side = orient2d(c, d, a, axis), b_side = orient2d(c, d, b, axis);
    if (c_side == 0 && d_side == 0 && a_side == 0 && b_side == 0) continue;
    if (c_side * d_side > 0 || a_side * b_side > 0) return {};
    if (c_side == 0) return point_meeting(vertex_site(c));
    if (d_side == 0) return point_meeting(vertex_site(d));
    if (a_side == 0) return point_meeting(vertex_site(a));
    if (b_side == 0) return point_meeting(vertex_site(b));
    return point_meeting(edge_edge_site(a, b, c, d));
  }
  return overlap(p, q);
}

}  // namespace

Meeting meet_flat(const Triangle& a, const Triangle& b) {
  const Hull p = hull(a), q = hull(b);
  if (p.size == 3 && q.size == 3) return clip(p, q);
  if (q.size == 3) return meet_triangle(p, b, q);
  if (p.size == 3) return meet_triangle(q, a, p);
  return meet_segments(p, q);
}

}  // namespace impinge
