// Points picked by index, eight at a time: float copies, or float64 points rounded on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/lanes.hpp"
#include "geometry/frame.hpp"
#include "geometry/point.hpp"

namespace impinge {

struct Point8 {
  Float8 at[3];
};

// Points of float64 as in_frame makes floats of them, where they are read.
class PointsInFrame {
 public:
  PointsInFrame(const double* points, const Frame& frame)
      : points_(points), centre_(Double3::load(frame.centre)), scale_(frame.scale) {}

  Double3 at(std::int32_t i) const { return Double3::load(points_ + 3 * std::size_t(i)); }
  Float3 place(Double3 point) const { return ((point - centre_) * scale_).rounded(); }
  Float3 operator[](std::int32_t i) const { return place(at(i)); }
  void prefetch(std::span<const std::int32_t> index) const {
    for (const std::int32_t i : index) impinge::prefetch(points_ + 3 * std::size_t(i), 1);
  }

 private:
  const double* points_;
  Double3 centre_, scale_;
};

// Float copies, made before.
class PointCopies {
 public:
  PointCopies(const Point4* points) : points_(points) {}
  Float3 operator[](std::int32_t i) const { return Float3::load(points_[i]); }

 private:
  const Point4* points_;
};

// The points of every `stride`-th index.
template <class AnyPoints>
inline Point8 gather_from(const AnyPoints& points, const std::int32_t* index, int stride = 1) {
  Point8 r;
#if defined(__AVX2__)
  // those of lane i and i + 4 side by side
  const auto pair = [&](int i) {
    const __m128 low = points[index[i * stride]].v, high = points[index[(i + 4) * stride]].v;
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
  };
  const __m256 a = pair(0), b = pair(1), c = pair(2), d = pair(3);
  const __m256 ab_lo = _mm256_unpacklo_ps(a, b), ab_hi = _mm256_unpackhi_ps(a, b);
  const __m256 cd_lo = _mm256_unpacklo_ps(c, d), cd_hi = _mm256_unpackhi_ps(c, d);
  r.at[0] = _mm256_shuffle_ps(ab_lo, cd_lo, 0x44);
  r.at[1] = _mm256_shuffle_ps(ab_lo, cd_lo, 0xEE);
  r.at[2] = _mm256_shuffle_ps(ab_hi, cd_hi, 0x44);
#else
  for (int i = 0; i < kLanes; ++i) {
    const Point4 p = points[index[i * stride]].v;
    r.at[0].v[i] = p.x;
    r.at[1].v[i] = p.y;
    r.at[2].v[i] = p.z;
  }
#endif
  return r;
}

inline Point8 gather(const Point4* points, const std::int32_t* index, int stride = 1) {
  return gather_from(PointCopies(points), index, stride);
}

}  // namespace impinge
