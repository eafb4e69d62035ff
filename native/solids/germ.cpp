#include "solids/germ.hpp"

#include <algorithm>
#include <cmath>

#include "solids/column_faces.hpp"

namespace impinge::solids {
namespace {

int sign_of(double x) { return (x > 0) - (x < 0); }

}  // namespace

// By p, orient2d(a, b, p) seen along an axis grows by (a_y - b_y, b_x - a_x).
int MovedGerm::turn(const double* a, const double* b, int axis) const {
  if (const int s = orient2d(a, b, point, axis)) return s;
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  const int by_x = sign_of(a[y] - b[y]), by_y = sign_of(b[x] - a[x]);
  const int first = x < y ? by_x : by_y, second = x < y ? by_y : by_x;
  return sign * (first ? first : second);
}

// By d, orient3d(a, b, c, d) falls by the normal of a, b, c.
int MovedGerm::side(const double* a, const double* b, const double* c) const {
  if (const int s = orient3d(a, b, c, point)) return s;
  for (int k = 0; k < 3; ++k) {
    if (const int n = orient2d(a, b, c, k)) return -sign * n;
  }
  return 0;
}

ExactGerm::ExactGerm(const ExactPoint& point, const ExactVector& first, const ExactVector& second,
                     const ExactVector& third)
    : point_(point), direction_{&first, &second, &third} {
  const auto exact = point.as(Dyadic{});
  for (int k = 0; k < 3; ++k) {
    near_[k] = quotient(exact.x.at[k], exact.w);
    const double rounding = 0x1p-48 * std::abs(near_[k]);
    low_[k] = near_[k] - rounding;
    high_[k] = near_[k] + rounding;
    off_ = std::max(off_, rounding);
  }
}

// The sign of a sum of products of differences that was rounded, if it is certain: `weight` is the
// sum of their sizes, and the point itself is off by what changes the sum by `moved`.
int ExactGerm::certain_sign(double value, double weight, double moved) {
  const double bound = 0x1p-49 * weight + 1.01 * moved + 1e-220;
  return value > bound ? 1 : value < -bound ? -1 : 0;
}

int ExactGerm::turn(const double* a, const double* b, int axis) const {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  const double dx = b[x] - a[x], dy = b[y] - a[y];
  const double left = dx * (near_[y] - a[y]), right = dy * (near_[x] - a[x]);
  if (const int s = certain_sign(left - right, std::abs(left) + std::abs(right),
                                 off_ * (std::abs(dx) + std::abs(dy)))) {
    return s;
  }
  const auto forms = [&](const auto& v, auto type) {
    return cross(between<decltype(type)>(a, b), v).at[axis];
  };
  if (const int s = exact_sign([&](auto type) {
        const auto& p = point_.as(type);
        return forms(p.x, type) - forms(vector_of<decltype(type)>(a), type) * p.w;
      })) {
    return s;
  }
  for (const ExactVector* d : direction_) {
    if (const int s = exact_sign([&](auto type) { return forms(d->as(type), type); })) return s;
  }
  return 0;
}

int ExactGerm::side(const double* a, const double* b, const double* c) const {
  const Vector u = from_to(a, b), v = from_to(a, c), p = from_to(a, near_);
  const Vector n = impinge::cross(u, v);
  const Vector weight{std::abs(u.y * v.z) + std::abs(u.z * v.y),
                      std::abs(u.z * v.x) + std::abs(u.x * v.z),
                      std::abs(u.x * v.y) + std::abs(u.y * v.x)};
  if (const int s = certain_sign(
          -impinge::dot(n, p),
          weight.x * std::abs(p.x) + weight.y * std::abs(p.y) + weight.z * std::abs(p.z),
          off_ * (weight.x + weight.y + weight.z))) {
    return s;
  }
  const auto normal = [&](auto type) {
    return cross(between<decltype(type)>(a, b), between<decltype(type)>(a, c));
  };
  if (const int s = exact_sign([&](auto type) {
        const auto& p = point_.as(type);
        const auto n = normal(type);
        return dot(n, vector_of<decltype(type)>(a)) * p.w - dot(n, p.x);
      })) {
    return s;
  }
  for (const ExactVector* d : direction_) {
    if (const int s = exact_sign([&](auto type) { return -dot(normal(type), d->as(type)); })) {
      return s;
    }
  }
  return 0;
}

// The ray up the axis passes a face whose three edges the germ is on one side of, seen along the
// axis, and which is above it: then the plane has it on the same side.
template <class Germ>
int winding(const PlacedSurface& surface, const Germ& germ, int axis, std::int32_t without) {
  int sum = 0;
  for_each_face_above(surface.body(), germ.low(), germ.high(), axis, [&](std::int32_t face) {
    if (face == without) return;
    const Triangle t = surface.triangle(face);
    const int turn = germ.turn(t[0], t[1], axis);
    if (turn == 0 || germ.turn(t[1], t[2], axis) != turn || germ.turn(t[2], t[0], axis) != turn) {
      return;
    }
    if (germ.side(t[0], t[1], t[2]) == turn) sum += turn;
  });
  return sum;
}

bool is_on(const PlacedSurface& surface, const FaceGerm& germ, int axis) {
  bool found = false;
  for_each_face_above(surface.body(), germ.low(), germ.high(), axis, [&](std::int32_t face) {
    const Triangle t = surface.triangle(face);
    const int turn = germ.turn(t[0], t[1], axis);
    found = found || (turn != 0 && germ.turn(t[1], t[2], axis) == turn &&
                      germ.turn(t[2], t[0], axis) == turn && germ.side(t[0], t[1], t[2]) == 0);
  });
  return found;
}

template int winding(const PlacedSurface&, const FaceGerm&, int, std::int32_t);
template int winding(const PlacedSurface&, const MovedGerm&, int, std::int32_t);
template int winding(const PlacedSurface&, const ExactGerm&, int, std::int32_t);

}  // namespace impinge::solids
