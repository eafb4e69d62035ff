#include "geometry/unit_triangle.hpp"

#include <algorithm>

#include "geometry/moller.hpp"

namespace impinge {
namespace {

// Where pq crosses z = 0 is (a, b) / (q.z - p.z).
bool pierces(const Vector& p, const Vector& q) {
  const double a = p.x * q.z - q.x * p.z;
  const double b = p.y * q.z - q.y * p.z;
  const double r = q.z - p.z;
  return r > 0 ? a >= 0 && b >= 0 && a + b <= r : a <= 0 && b <= 0 && a + b >= r;
}

// An edge within z = 0 against x >= 0, y >= 0, x + y <= 1.
bool clipped(const Vector& p, const Vector& q) {
  double low = 0, high = 1;
  const auto cut = [&](double at_p, double at_q) {
    if (at_p < 0 && at_q < 0) high = -1;
    if (at_p < 0 && at_q >= 0) low = std::max(low, at_p / (at_p - at_q));
    if (at_p >= 0 && at_q < 0) high = std::min(high, at_p / (at_p - at_q));
  };
  cut(p.x, q.x);
  cut(p.y, q.y);
  cut(1 - p.x - p.y, 1 - q.x - q.y);
  return low <= high;
}

bool edge_hits(const Vector& p, const Vector& q, Boundary boundary) {
  if (boundary == Boundary::open) {
    if ((p.z >= 0 && q.z >= 0) || (p.z <= 0 && q.z <= 0)) return false;
    return pierces(p, q);
  }
  if ((p.z > 0 && q.z > 0) || (p.z < 0 && q.z < 0)) return false;
  return p.z == 0 && q.z == 0 ? clipped(p, q) : pierces(p, q);
}

}  // namespace

// The inverse of the matrix with columns u, v, m has the rows v x m, m x u, u x v over its
// determinant; m is free, and the normal of norm 1 keeps all of it in range.
UnitTriangle::UnitTriangle(const Triangle& t) : origin(t[0]) {
  const Vector u = from_to(t[0], t[1]), v = from_to(t[0], t[2]);
  const Vector uv = cross(u, v), m = normal(t);
  const double determinant = dot(uv, m);
  singular = !(determinant > 0);
  const double s = singular ? 0 : 1 / determinant;
  row[0] = scaled(cross(v, m), s);
  row[1] = scaled(cross(m, u), s);
  row[2] = scaled(uv, s);
}

// Some coordinate of the normal is 1, so that the determinant is the norm or more.
bool without_area(const Triangle& t) {
  return !(max_norm(cross(from_to(t[0], t[1]), from_to(t[0], t[2]))) > 0);
}

Vector UnitTriangle::operator()(const double* p) const {
  const Vector d = from_to(origin, p);
  return {dot(row[0], d), dot(row[1], d), dot(row[2], d)};
}

bool some_edge_hits(const Triangle& t, const Triangle& other, const UnitTriangle& map,
                    Boundary boundary) {
  if (map.singular) return false;
  const Vector v[3] = {map(t[0]), map(t[1]), map(t[2])};
  if (boundary == Boundary::closed && v[0].z == 0 && v[1].z == 0 && v[2].z == 0) {
    return overlap_along(t, other, largest_axis(normal(other)));
  }
  return edge_hits(v[0], v[1], boundary) || edge_hits(v[1], v[2], boundary) ||
         edge_hits(v[2], v[0], boundary);
}

bool unit_triangle(const Triangle& a, const Triangle& b, Boundary boundary) {
  return some_edge_hits(a, b, UnitTriangle(b), boundary) ||
         some_edge_hits(b, a, UnitTriangle(a), boundary);
}

}  // namespace impinge
