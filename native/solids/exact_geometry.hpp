// Points, vectors and planes that are not rounded, for surfaces that meet themselves.
//
// Everything is kept twice, in float64 with a bound on its rounding and without any: signs are
// those of the first when they are certain.
#pragma once

#include <memory>

#include "geometry/bounded.hpp"
#include "geometry/meeting.hpp"
#include "geometry/vec.hpp"

namespace impinge::solids {

template <class Number>
struct Vector3 {
  Number at[3];

  template <class F>
  auto convert(const F& f) const {
    return Vector3<decltype(f(at[0]))>{{f(at[0]), f(at[1]), f(at[2])}};
  }
  friend Vector3 operator-(const Vector3& u, const Vector3& v) {
    return {{u.at[0] - v.at[0], u.at[1] - v.at[1], u.at[2] - v.at[2]}};
  }
  friend Vector3 operator-(const Vector3& u) { return {{-u.at[0], -u.at[1], -u.at[2]}}; }
};

template <class Number>
Vector3<Number> vector_of(const double* p) {
  return {{Number(p[0]), Number(p[1]), Number(p[2])}};
}
template <class Number>
Vector3<Number> between(const double* p, const double* q) {
  return vector_of<Number>(q) - vector_of<Number>(p);
}
template <class Number>
Vector3<Number> cross(const Vector3<Number>& u, const Vector3<Number>& v) {
  return {{u.at[1] * v.at[2] - u.at[2] * v.at[1], u.at[2] * v.at[0] - u.at[0] * v.at[2],
           u.at[0] * v.at[1] - u.at[1] * v.at[0]}};
}
template <class Number>
Number dot(const Vector3<Number>& u, const Vector3<Number>& v) {
  return u.at[0] * v.at[0] + u.at[1] * v.at[1] + u.at[2] * v.at[2];
}

// A vector or the like of both types, made by make(Number{}). `Of` has convert(f), with f of each
// of its numbers.
template <template <class> class Of>
class Twice {
 public:
  Twice() = default;
  template <class Make>
  explicit Twice(const Make& make) : bounded_(make(Bounded{})) {
    bool is_exact = true;
    bounded_.convert([&](const Bounded& x) {
      is_exact = is_exact && x.is_exact();
      return x;
    });
    if (!is_exact) exact_ = std::make_shared<const Of<Dyadic>>(make(Dyadic{}));
  }

  const Of<Bounded>& as(Bounded) const { return bounded_; }
  Of<Dyadic> as(const Dyadic&) const {
    return exact_ ? *exact_ : bounded_.convert([](const Bounded& x) { return x.exact(); });
  }

 private:
  Of<Bounded> bounded_;
  std::shared_ptr<const Of<Dyadic>> exact_;  // when anything was rounded
};

using ExactVector = Twice<Vector3>;

// The point (x / w), w above 0. Sums of such points with factors above 0 are between them.
template <class Number>
struct Homogeneous {
  Vector3<Number> x;
  Number w;

  template <class F>
  auto convert(const F& f) const {
    return Homogeneous<decltype(f(w))>{x.convert(f), f(w)};
  }
};
using ExactPoint = Twice<Homogeneous>;

ExactPoint point_of(const Site& site);

// The normal of a triangle, zero without area.
ExactVector normal_of(const Triangle& t);
bool is_zero(const ExactVector& v);
int dot_sign(const ExactVector& u, const ExactVector& v);
int determinant_sign(const ExactVector& u, const ExactVector& v, const ExactVector& w);

// Zero on a plane through a given point.
struct ExactPlane {
  ExactVector normal;
  const double* through;

  template <class Number>
  Number at(const ExactPoint& point, Number type) const {
    const auto& n = normal.as(type);
    const auto& p = point.as(type);
    return dot(n, p.x) - dot(n, vector_of<Number>(through)) * p.w;
  }
  int side(const ExactPoint& point) const {
    return exact_sign([&](auto type) { return at(point, type); });
  }
};

}  // namespace impinge::solids
