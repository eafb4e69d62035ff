#include "geometry/intersection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/double_double.hpp"
#include "geometry/dyadic.hpp"
#include "geometry/vec.hpp"

namespace impinge {
namespace {

struct PairVector {
  Pair x[3];
};

PairVector vector(const double* from, const double* to) {
  return {{two_diff(to[0], from[0]), two_diff(to[1], from[1]), two_diff(to[2], from[2])}};
}

Pair cross(const PairVector& u, const PairVector& v, int axis) {
  const int y = axis == 2 ? 0 : axis + 1, z = axis == 0 ? 2 : axis - 1;
  return u.x[y] * v.x[z] - u.x[z] * v.x[y];
}

// The sizes of the two products of a component, which may cancel each other.
double weight(const PairVector& u, const PairVector& v, int axis) {
  const int y = axis == 2 ? 0 : axis + 1, z = axis == 0 ? 2 : axis - 1;
  return std::abs(u.x[y].high * v.x[z].high) + std::abs(u.x[z].high * v.x[y].high);
}

// Of terms of this weight in sum, cancelled so far that double-double, which is off by less than
// 2^-98 of the weight, is not off by less than 2^-38 of what is left.
bool cancelled(double value, double weight) { return std::abs(value) < 0x1p-60 * weight; }

// Brings each axis near 1 by a power of two, against overflow and underflow of products. Ratios of
// determinants do not change. False where numbers of one axis are so far apart that products of
// three underflow all the same.
template <int N>
bool normalise(PairVector (&vectors)[N]) {
  constexpr double kLeast = 0x1p-300;
  bool fits = true;
  for (int k = 0; k < 3; ++k) {
    double largest = 0;
    for (const PairVector& v : vectors) largest = std::max(largest, std::abs(v.x[k].high));
    if (largest == 0) continue;
    double factor = 1;
    if (!(largest > 0x1p-80 && largest < 0x1p80)) {
      factor = std::scalbn(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
    }
    for (PairVector& v : vectors) {
      if (v.x[k].high == 0) continue;
      if (factor != 1) v.x[k] = {v.x[k].high * factor, v.x[k].low * factor};
      fits = fits && std::abs(v.x[k].high) > kLeast;
    }
  }
  return fits;
}

struct ExactVector {
  Dyadic x[3];

  ExactVector(const double* from, const double* to) {
    for (int k = 0; k < 3; ++k) x[k] = Dyadic(to[k]) - Dyadic(from[k]);
  }
};

Dyadic cross(const ExactVector& u, const ExactVector& v, int axis) {
  const int y = axis == 2 ? 0 : axis + 1, z = axis == 0 ? 2 : axis - 1;
  return u.x[y] * v.x[z] - u.x[z] * v.x[y];
}

// a + (above / below) (b - a), rounded, within the box of a and b. Their middle if that is nowhere:
// an edge in the plane passes it in general position only, where all its points are alike.
void exactly_between(const double* a, const double* b, const Dyadic& above, const Dyadic& below,
                     double (&point)[3]) {
  if (below.sign() == 0) {
    for (int k = 0; k < 3; ++k) point[k] = 0.5 * a[k] + 0.5 * b[k];
    return;
  }
  const bool at_a = above.sign() == 0;
  if (at_a || (below - above).sign() == 0) {
    std::copy_n(at_a ? a : b, 3, point);
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const Dyadic at = Dyadic(a[k]) * below + above * (Dyadic(b[k]) - Dyadic(a[k]));
    const double rounded = at.sign() == 0 ? 0.0 : quotient(at, below);
    point[k] = std::clamp(rounded, std::min(a[k], b[k]), std::max(a[k], b[k]));
  }
}

struct Edge {
  const double *a, *b;

  Edge(const double* p, const double* q) : a(p), b(q) {
    if (before(b, a)) std::swap(a, b);
  }
  double extent() const {
    return std::max({std::abs(b[0] - a[0]), std::abs(b[1] - a[1]), std::abs(b[2] - a[2])});
  }
};

// The shorter edge first: a point computed along it has the smaller error.
bool goes_first(const Edge& e, const Edge& f) {
  const double e_extent = e.extent(), f_extent = f.extent();
  if (e_extent != f_extent) return e_extent < f_extent;
  return same_point(e.a, f.a) ? before(e.b, f.b) : before(e.a, f.a);
}

// The point with these weights of the two ends, counted from the nearer end.
void between(const Edge& e, double a_weight, double b_weight, double (&point)[3]) {
  const double sum = a_weight + b_weight;
  const bool from_a = a_weight >= b_weight;
  const double t = sum > 0 ? (from_a ? b_weight : a_weight) / sum : 0.5;
  const double *near = from_a ? e.a : e.b, *far = from_a ? e.b : e.a;
  for (int k = 0; k < 3; ++k) point[k] = near[k] + t * (far[k] - near[k]);
}

void clamp_to_box(const double* const* vertices, int count, double (&point)[3]) {
  for (int k = 0; k < 3; ++k) {
    double low = vertices[0][k], high = vertices[0][k];
    for (int i = 1; i < count; ++i) {
      low = std::min(low, vertices[i][k]);
      high = std::max(high, vertices[i][k]);
    }
    point[k] = std::clamp(point[k], low, high);
  }
}

void locate_exactly_on_face(const Edge& edge, const double* const (&face)[3], double (&point)[3]) {
  const ExactVector u(face[0], face[1]), v(face[0], face[2]), a(face[0], edge.a);
  const ExactVector along(edge.a, edge.b);
  Dyadic start, way;
  for (int k = 0; k < 3; ++k) {
    const Dyadic n = cross(u, v, k);
    start = start - n * a.x[k];
    way = way + n * along.x[k];
  }
  exactly_between(edge.a, edge.b, start, way, point);
  clamp_to_box(face, 3, point);
}

// With n the face's normal, the weights are the distances n.(end - face) of the other end. They are
// of opposite sign, so their difference keeps the full relative precision of each.
void locate_on_face(const Site& site, double (&point)[3]) {
  const Edge edge(site.edge[0], site.edge[1]);
  const double* face[3] = {site.other[0], site.other[1], site.other[2]};
  std::sort(face, face + 3, before);
  PairVector v[4] = {vector(face[0], face[1]), vector(face[0], face[2]), vector(face[0], edge.a),
                     vector(face[0], edge.b)};
  if (!normalise(v)) return locate_exactly_on_face(edge, face, point);
  Pair a{0, 0}, b{0, 0};
  double weight_a = 0, weight_b = 0;
  for (int k = 0; k < 3; ++k) {
    const Pair n = cross(v[0], v[1], k);
    a = a + n * v[2].x[k];
    b = b + n * v[3].x[k];
    weight_a += weight(v[0], v[1], k) * std::abs(v[2].x[k].high);
    weight_b += weight(v[0], v[1], k) * std::abs(v[3].x[k].high);
  }
  if (cancelled(a.high, weight_a) || cancelled(b.high, weight_b)) {
    return locate_exactly_on_face(edge, face, point);
  }
  between(edge, std::abs(b.high), std::abs(a.high), point);
  clamp_to_box(face, 3, point);
}

void locate_exactly_on_edge(const Edge& e, const Edge& f, double (&point)[3]) {
  const ExactVector u(e.a, e.b), w(f.a, f.b), r(e.a, f.a);
  int axis = 0;
  while (axis < 2 && cross(u, w, axis).sign() == 0) ++axis;
  exactly_between(e.a, e.b, cross(r, w, axis), cross(u, w, axis), point);
}

// On a + t u, with w along the other edge and r from a to it: t (u x w) = r x w.
void locate_on_edge(const Site& site, double (&point)[3]) {
  Edge e(site.edge[0], site.edge[1]), f(site.other[0], site.other[1]);
  if (goes_first(f, e)) std::swap(e, f);
  PairVector v[3] = {vector(e.a, e.b), vector(f.a, f.b), vector(e.a, f.a)};
  const double* other[2] = {f.a, f.b};
  const auto exactly = [&] {
    locate_exactly_on_edge(e, f, point);
    clamp_to_box(other, 2, point);
  };
  if (!normalise(v)) return exactly();
  double divisor = 0;
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = cross(v[0], v[1], k).high;
    if (std::abs(d) > std::abs(divisor)) {
      divisor = d;
      axis = k;
    }
  }
  const double dividend = cross(v[2], v[1], axis).high;
  if (divisor == 0 || cancelled(divisor, weight(v[0], v[1], axis)) ||
      cancelled(dividend, weight(v[2], v[1], axis))) {
    return exactly();
  }
  const double inside = std::clamp(dividend / divisor, 0.0, 1.0);
  between(e, 1 - inside, inside, point);
  clamp_to_box(other, 2, point);
}

void set_longest_diagonal(Contact& c) {
  double longest = -1;
  for (int i = 0; i < c.corners; ++i) {
    for (int j = i + 1; j < c.corners; ++j) {
      const double *p = c.outline[i], *q = c.outline[j];
      const double length = std::hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
      if (length <= longest) continue;
      longest = length;
      std::copy_n(p, 3, c.segment[0]);
      std::copy_n(q, 3, c.segment[1]);
    }
  }
}

}  // namespace

void locate(const Site& site, double (&point)[3]) {
  if (site.type == Site::Type::vertex) {
    std::copy_n(site.edge[0], 3, point);
  } else if (site.type == Site::Type::edge_edge) {
    locate_on_edge(site, point);
  } else {
    locate_on_face(site, point);
  }
  for (double& x : point) x += 0.0;  // one zero only
}

Contact contact(const Triangle& a, const Triangle& b) {
  const Meeting meeting = meet(a, b);
  Contact result;
  result.kind = meeting.kind;
  if (meeting.kind == Kind::coplanar) {
    result.corners = meeting.size;
    for (int i = 0; i < meeting.size; ++i) locate(meeting.site[i], result.outline[i]);
    set_longest_diagonal(result);
  } else if (meeting.kind != Kind::none) {
    locate(meeting.site[0], result.segment[0]);
    locate(meeting.site[meeting.size - 1], result.segment[1]);
  }
  return result;
}

}  // namespace impinge
