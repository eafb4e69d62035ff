#include "geometry/ray.hpp"

#include <algorithm>
#include <limits>

#include "geometry/double_double.hpp"

namespace impinge {
namespace {

// A plane seen along the ray with a worse relative error than this is computed in double-double.
constexpr double kGrazing = 0x1p-40;

// No weight of a determinant is more than 6 times the product of the largest entries of its rows:
// a coarse bound that costs nothing. The last unit allows for the roundings of the bound itself.
constexpr double kCoarse = 6.1 * orient3d_relative_error;

// std::fmax would look for NaN first.
double larger(double x, double y) { return x > y ? x : y; }
double size_of(const Vector& v) {
  return larger(larger(std::abs(v.x), std::abs(v.y)), std::abs(v.z));
}

double side_of(const double* d, const Vector& p, const Vector& q) {
  return d[0] * (p.y * q.z - p.z * q.y) + d[1] * (p.z * q.x - p.x * q.z) +
         d[2] * (p.x * q.y - p.y * q.x);
}

// det[d; p; q] with the bounds of orient3d, whose terms pass through at least as many roundings.
inline Estimate estimate_side(const double* d, const Vector& p, const Vector& q) {
  const double yz = p.y * q.z, zy = p.z * q.y;
  const double zx = p.z * q.x, xz = p.x * q.z;
  const double xy = p.x * q.y, yx = p.y * q.x;
  const double value = d[0] * (yz - zy) + d[1] * (zx - xz) + d[2] * (xy - yx);
  const double weight = std::abs(d[0]) * (std::abs(yz) + std::abs(zy)) +
                        std::abs(d[1]) * (std::abs(zx) + std::abs(xz)) +
                        std::abs(d[2]) * (std::abs(xy) + std::abs(yx));
  return {value, orient3d_relative_error * weight + orient3d_absolute_error};
}

int certain_sign(const Estimate& e) { return e.value > e.bound ? 1 : e.value < -e.bound ? -1 : 0; }

double depth(const Ray& ray, const double* p) {
  return (p[ray.axis] - ray.origin[ray.axis]) / ray.direction[ray.axis];
}

// What is not at the start is not zero, whatever underflows.
constexpr double kLeast = std::numeric_limits<double>::min();

double corner_depth(const Ray& ray, const double* p) {
  if (p[ray.axis] == ray.origin[ray.axis]) return 0;
  const double t = depth(ray, p);
  return t != 0 ? t : std::copysign(kLeast, t);
}

// Where the line passes the edge: from the ray and the edge alone, whichever way it is run through.
double edge_depth(const Ray& ray, const double* a, const double* b) {
  if (before(b, a)) std::swap(a, b);
  const Vector d{ray.direction[0], ray.direction[1], ray.direction[2]};
  const Vector whole = cross(from_to(a, b), d), part = cross(from_to(a, ray.origin), d);
  const int k = largest_axis(whole);
  const double below = k == 0 ? whole.x : k == 1 ? whole.y : whole.z;
  const double above = k == 0 ? part.x : k == 1 ? part.y : part.z;
  const double start = depth(ray, a), end = depth(ray, b);
  const double along = below != 0 ? std::clamp(above / below, 0.0, 1.0) : 0.5;
  return std::clamp(start + along * (end - start), std::min(start, end), std::max(start, end));
}

// The depth of the plane in double-double, all lengths and the direction brought near one.
double careful_depth(const Ray& ray, const double* a, const double* b, const double* c) {
  double reach = 0;
  for (int k = 0; k < 3; ++k) {
    reach = std::max(
        {reach, std::abs(b[k] - a[k]), std::abs(c[k] - a[k]), std::abs(a[k] - ray.origin[k])});
  }
  if (reach == 0) return 0;
  const int shift = std::ilogb(reach), turn = std::ilogb(ray.direction[ray.axis]);
  const auto difference = [shift](double x, double y) {
    const Pair p = two_diff(x, y);
    return Pair{std::scalbn(p.high, -shift), std::scalbn(p.low, -shift)};
  };
  Pair u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = difference(b[k], a[k]);
    v[k] = difference(c[k], a[k]);
    w[k] = difference(a[k], ray.origin[k]);
  }
  Pair above{0, 0}, below{0, 0};
  for (int x = 0; x < 3; ++x) {
    const int y = x == 2 ? 0 : x + 1, z = x == 0 ? 2 : x - 1;
    const Pair normal = u[y] * v[z] - u[z] * v[y];
    above = above + normal * w[x];
    below = below + normal * Pair{std::scalbn(ray.direction[x], -turn), 0};
  }
  return below.high != 0 ? std::scalbn(above.high / below.high, shift - turn) : depth(ray, a);
}

// A rounded depth with the exact sign; `facing` is the sign of direction times normal.
double on_its_side(double t, const Ray& ray, const double* a, const double* b, const double* c,
                   int facing) {
  const int side = orient3d(a, b, c, ray.origin) * facing;
  return side > 0 ? std::max(t, kLeast) : side < 0 ? std::min(t, -kLeast) : 0.0;
}

// The same with the finest bounds, and exact signs where these do not decide.
bool pierces_nearby(const Ray& ray, const double* a, const double* b, const double* c, double& t) {
  const double* corner[3] = {a, b, c};
  const Vector p[3] = {from_to(ray.origin, a), from_to(ray.origin, b), from_to(ray.origin, c)};
  int sign[3];  // of the edge opposite to each corner
  int least = 0, most = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    sign[k] = certain_sign(estimate_side(ray.direction, p[i], p[j]));
    least = std::min(least, sign[k]);
    most = std::max(most, sign[k]);
  }
  if (least < 0 && most > 0) return false;
  for (int k = 0; k < 3; ++k) {
    if (sign[k] != 0) continue;
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    sign[k] = ray_side_exact(ray.origin, ray.direction, corner[i], corner[j]);
    least = std::min(least, sign[k]);
    most = std::max(most, sign[k]);
    if (least < 0 && most > 0) return false;
  }
  const int zeros = (sign[0] == 0) + (sign[1] == 0) + (sign[2] == 0);
  if (zeros == 3) return false;
  if (zeros == 0) {
    t = inner_depth(ray, a, b, c, least + most);
    return true;
  }
  if (zeros == 2) {
    t = corner_depth(ray, corner[sign[0] ? 0 : sign[1] ? 1 : 2]);
    return true;
  }
  const int k = sign[0] == 0 ? 0 : sign[1] == 0 ? 1 : 2;
  t = on_its_side(edge_depth(ray, corner[k == 2 ? 0 : k + 1], corner[k == 0 ? 2 : k - 1]), ray, a,
                  b, c, least + most);
  return true;
}

}  // namespace

void Ray::enlarge() {
  unit = std::scalbn(1.0, -std::max(std::ilogb(direction[axis]), -1000));
  for (double& d : direction) d *= unit;
}

// Doubt about `below` is doubt about `above` over it: t is off by at most 2 kGrazing of the way to
// the farthest corner.
double inner_depth(const Ray& ray, const double* a, const double* b, const double* c, int facing) {
  const Vector u = from_to(a, b), v = from_to(a, c), p = from_to(ray.origin, a);
  const double start[3] = {p.x, p.y, p.z}, size = larger(size_of(u), size_of(v));
  const double below = side_of(ray.direction, u, v), above = side_of(start, u, v);
  const double coarse = kCoarse * size * size, along = std::abs(ray.direction[ray.axis]);
  const bool sure_side = std::abs(above) > coarse * size_of(p) + orient3d_absolute_error;
  const bool sure = coarse * along + orient3d_absolute_error < kGrazing * std::abs(below);
  if (sure_side && sure) return above / below;
  const double ta = depth(ray, a), tb = depth(ray, b), tc = depth(ray, c);
  const double t =
      std::clamp(careful_depth(ray, a, b, c), std::min({ta, tb, tc}), std::max({ta, tb, tc}));
  return sure_side ? t : on_its_side(t, ray, a, b, c, facing);
}

bool pierces(const Ray& ray, const double* a, const double* b, const double* c, double& t) {
  const double* d = ray.direction;
  const Vector p = from_to(ray.origin, a), q = from_to(ray.origin, b), r = from_to(ray.origin, c);
  const double reach = larger(larger(size_of(p), size_of(q)), size_of(r));
  const double bound = kCoarse * std::abs(d[ray.axis]) * reach * reach + orient3d_absolute_error;
  const double u = side_of(d, q, r), v = side_of(d, r, p), w = side_of(d, p, q);
  const double least = std::min(std::min(u, v), w), most = std::max(std::max(u, v), w);
  if (least < -bound && most > bound) return false;
  if (!(least > bound || most < -bound)) return pierces_nearby(ray, a, b, c, t);
  t = inner_depth(ray, a, b, c, least > 0 ? 1 : -1);
  return true;
}

}  // namespace impinge
