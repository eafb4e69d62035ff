#include "motion/linear/float_filter.hpp"

#include <algorithm>

#include "base/lanes.hpp"
#include "geometry/gather.hpp"

namespace impinge::motion {
namespace {

struct Vector8 {
  Float8 x, y, z;
};

Vector8 operator-(const Vector8& a, const Vector8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
// a + s b
Vector8 along(const Vector8& a, Float8 s, const Vector8& b) {
  return {mul_add(s, b.x, a.x), mul_add(s, b.y, a.y), mul_add(s, b.z, a.z)};
}
Float8 dot(const Vector8& a, const Vector8& b) {
  return mul_add(a.x, b.x, mul_add(a.y, b.y, a.z * b.z));
}
Vector8 cross(const Vector8& a, const Vector8& b) {
  return {mul_sub(a.y, b.z, a.z * b.y), mul_sub(a.z, b.x, a.x * b.z), mul_sub(a.x, b.y, a.y * b.x)};
}
Vector8 select(Mask8 m, const Vector8& a, const Vector8& b) {
  return {impinge::select(m, a.x, b.x), impinge::select(m, a.y, b.y), impinge::select(m, a.z, b.z)};
}
Float8 between_0_and_1(Float8 x) { return min(max(x, Float8(0.0f)), Float8(1.0f)); }
Float8 largest(const Vector8& v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }

using Points8 = Vector8[4];

// From the closest point of the edge to zero.
Vector8 from_edge(const Vector8& p, const Vector8& q) {
  const Vector8 e = q - p;
  const Float8 s = between_0_and_1(negative(dot(p, e)) / dot(e, e));
  return along(p, s, e);
}

Vector8 nearer(const Vector8& a, const Vector8& b) { return select(dot(a, a) <= dot(b, b), a, b); }

// About from the closest point of the face to the vertex.
Vector8 from_face(const Points8& p) {
  const Vector8 a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
  const Vector8 rim = nearer(from_edge(a, b), nearer(from_edge(b, c), from_edge(c, a)));
  const Vector8 n = cross(b - a, c - a);
  const Float8 zero(0.0f);
  const Mask8 inside =
      (zero <= dot(cross(a, b), n)) & (zero <= dot(cross(b, c), n)) & (zero <= dot(cross(c, a), n));
  // the length of a direction does not matter, but that no square of it vanishes does
  const Float8 share = dot(a, n) / dot(n, n);
  const Vector8 foot = select(inside, Vector8{n.x * share, n.y * share, n.z * share}, rim);
  return {negative(foot.x), negative(foot.y), negative(foot.z)};
}

// About from the closest point of the second edge to that of the first.
Vector8 from_edge_to_edge(const Points8& p) {
  const Vector8 u = p[1] - p[0], v = p[3] - p[2], w = p[0] - p[2];
  const Float8 uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  Float8 s = between_0_and_1(mul_sub(uv, vw, uw * vv) / mul_sub(uu, vv, uv * uv));
  const Float8 t = between_0_and_1(mul_add(uv, s, vw) / vv);
  s = between_0_and_1(mul_sub(uv, t, uw) / uu);
  return along(along(w, s, u), negative(t), v);
}

// How far the first feature is beyond the second along n; negative if it is not.
template <int kFirst>
Float8 gap_along(const Vector8& n, const Points8& p) {
  Float8 least = dot(n, p[0]), most = dot(n, p[kFirst]);
  for (int i = 1; i < kFirst; ++i) least = min(least, dot(n, p[i]));
  for (int i = kFirst + 1; i < 4; ++i) most = max(most, dot(n, p[i]));
  return least - most;
}

template <int kFirst>
unsigned not_parted(const Points8 (&p)[2], float margin) {
  Float8 size(0.0f);
  for (const Points8& end : p) {
    for (const Vector8& point : end) size = max(size, largest(point));
  }
  constexpr auto kPoint = static_cast<float>(2.01 * kRounding);
  const Float8 off = mul_add(size, Float8(0x1p-20f), Float8(kPoint + margin));
  Mask8 parted = Float8(1.0f) <= Float8(0.0f);
  for (const Points8& end : p) {
    const Vector8 n = kFirst == 1 ? from_face(end) : from_edge_to_edge(end);
    const Float8 least = (abs(n.x) + abs(n.y) + abs(n.z)) * off;
    parted = parted | ((gap_along<kFirst>(n, p[0]) > least) & (gap_along<kFirst>(n, p[1]) > least));
  }
  return ~bits(parted);
}

}  // namespace

unsigned may_meet(const Encounter& encounter, const Candidates& candidates, std::size_t first) {
  const std::size_t n = std::min<std::size_t>(kLanes, candidates.size() - first);
  const int split = first_of(candidates.pair);
  Points8 p[2];
  Vector8 origin{};
  for (int i = 0; i < 4; ++i) {
    std::int32_t ids[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
      ids[l] = candidates.ids[i][first + std::min(l, n - 1)];
    }
    const SweptSurface& surface = encounter.surface(candidates, i >= split);
    for (int e = 0; e < 2; ++e) {
      const Point8 at = gather(surface.points(e), ids);
      const Vector8 point{at.at[0], at.at[1], at.at[2]};
      if (i == 0 && e == 0) origin = point;
      p[e][i] = point - origin;
    }
  }
  const unsigned live = (1u << n) - 1;
  return live &
         (split == 1 ? not_parted<1>(p, encounter.margin()) : not_parted<2>(p, encounter.margin()));
}

}  // namespace impinge::motion
