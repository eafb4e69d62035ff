#include "solids/exact_geometry.hpp"

#include "geometry/orient.hpp"
#include "geometry/turn.hpp"

namespace impinge::solids {
namespace {

// alpha p + beta q, for factors of one sign that is given.
template <class Number>
Homogeneous<Number> mixed(const Number& alpha, const double* p, const Number& beta, const double* q,
                          int sign) {
  const auto a = sign > 0 ? alpha : -alpha, b = sign > 0 ? beta : -beta;
  Homogeneous<Number> sum;
  for (int k = 0; k < 3; ++k) sum.x.at[k] = a * Number(p[k]) + b * Number(q[k]);
  sum.w = a + b;
  return sum;
}

// Heights over the plane, which has the ends on both sides.
ExactPoint on_face(const double* p, const double* q, const double* const (&face)[3]) {
  const int below = orient3d(face[0], face[1], face[2], p);
  return ExactPoint([&](auto type) {
    using Number = decltype(type);
    const auto n = cross(between<Number>(face[0], face[1]), between<Number>(face[0], face[2]));
    const Number at_p = dot(n, between<Number>(face[0], p));
    const Number at_q = dot(n, between<Number>(face[0], q));
    return mixed<Number>(at_q, p, -at_p, q, below);
  });
}

// On the line p + t (q - p), with r and s on another line of the same plane:
// t = ((r - p) x (s - r)) / ((q - p) x (s - r)) seen along an axis.
ExactPoint on_edge(const double* p, const double* q, const double* r, const double* s) {
  int axis = 0, turned = 0;
  while ((turned = turn(p, q, r, s, axis)) == 0) ++axis;
  return ExactPoint([&](auto type) {
    using Number = decltype(type);
    const auto along = between<Number>(r, s);
    const Number whole = cross(between<Number>(p, q), along).at[axis];
    const Number part = cross(between<Number>(p, r), along).at[axis];
    return mixed<Number>(whole - part, p, part, q, turned);
  });
}

}  // namespace

ExactPoint point_of(const Site& site) {
  if (site.type == Site::Type::edge_face) {
    return on_face(site.edge[0], site.edge[1], {site.other[0], site.other[1], site.other[2]});
  }
  if (site.type == Site::Type::edge_edge) {
    return on_edge(site.edge[0], site.edge[1], site.other[0], site.other[1]);
  }
  return ExactPoint([&](auto type) {
    using Number = decltype(type);
    return Homogeneous<Number>{vector_of<Number>(site.edge[0]), Number(1.0)};
  });
}

ExactVector normal_of(const Triangle& t) {
  return ExactVector([&](auto type) {
    using Number = decltype(type);
    return cross(between<Number>(t[0], t[1]), between<Number>(t[0], t[2]));
  });
}

bool is_zero(const ExactVector& v) {
  for (int k = 0; k < 3; ++k) {
    if (exact_sign([&](auto type) { return v.as(type).at[k]; }) != 0) return false;
  }
  return true;
}

int dot_sign(const ExactVector& u, const ExactVector& v) {
  return exact_sign([&](auto type) { return dot(u.as(type), v.as(type)); });
}

int determinant_sign(const ExactVector& u, const ExactVector& v, const ExactVector& w) {
  return exact_sign([&](auto type) { return dot(u.as(type), cross(v.as(type), w.as(type))); });
}

}  // namespace impinge::solids
