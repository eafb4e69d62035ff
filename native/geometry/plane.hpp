// Eight planes, and what is seen of points in them.
#pragma once

#include "base/lanes.hpp"
#include "geometry/gather.hpp"

namespace impinge {

inline Float8 dot(const Point8& p, const Point8& q) {
  return mul_add(p.at[0], q.at[0], mul_add(p.at[1], q.at[1], p.at[2] * q.at[2]));
}
inline Point8 cross(const Point8& p, const Point8& q) {
  const auto part = [&](int y, int z) { return mul_sub(p.at[y], q.at[z], p.at[z] * q.at[y]); };
  return {{part(1, 2), part(2, 0), part(0, 1)}};
}

struct Flat8 {
  Float8 x, y;
};

// Two directions across a normal, which may have any length. Any pair of vectors no longer
// than 1.01 would do for the proofs; these make them succeed. A zero normal gives NaN, and no
// comparison with it holds.
struct Plane8 {
  Point8 across, along;

  explicit Plane8(const Point8& normal) {
    const Float8 zero(0.0f), one(1.0f), length = sqrt(dot(normal, normal));
    const Float8 nx = normal.at[0] / length, ny = normal.at[1] / length, nz = normal.at[2] / length;
    const Float8 s = select(zero > nz, Float8(-1.0f), one);
    const Float8 c = zero - one / (s + nz), d = nx * ny * c;
    across = {{mul_add(s * nx, nx * c, one), s * d, zero - s * nx}};
    along = {{d, mul_add(ny, ny * c, s), zero - ny}};
  }

  Flat8 flatten(const Point8& p) const { return {dot(across, p), dot(along, p)}; }
  Point8 normal() const { return cross(across, along); }
};

}  // namespace impinge
