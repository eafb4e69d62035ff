// Whole arrays of float64 points, (n, 3) row by row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "geometry/point.hpp"

namespace impinge {

struct Bounds {
  double lo[3], hi[3];
};

constexpr Bounds kNoBounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

inline void include(Bounds& bounds, const double* lower, const double* upper) {
  for (int k = 0; k < 3; ++k) {
    bounds.lo[k] = lower[k] < bounds.lo[k] ? lower[k] : bounds.lo[k];
    bounds.hi[k] = upper[k] > bounds.hi[k] ? upper[k] : bounds.hi[k];
  }
}

// What both boxes hold; nothing, with lo > hi along an axis, when they are apart.
inline Bounds common(const Bounds& a, const Bounds& b) {
  Bounds both;
  for (int k = 0; k < 3; ++k) {
    both.lo[k] = std::max(a.lo[k], b.lo[k]);
    both.hi[k] = std::min(a.hi[k], b.hi[k]);
  }
  return both;
}

// All points within a distance of the box, rounded outward. What is farther than any coordinates
// can be is cut there, so that sums stay finite.
inline Bounds grown(const Bounds& bounds, double by) {
  constexpr double kFarthest = 1e101;
  by = by < kFarthest ? by : kFarthest;
  Bounds result;
  for (int k = 0; k < 3; ++k) {
    result.lo[k] = std::nextafter(bounds.lo[k] - by, -INFINITY);
    result.hi[k] = std::nextafter(bounds.hi[k] + by, INFINITY);
  }
  return result;
}

// Bounds of points that come four at a time.
#if defined(__AVX2__)
class FourWiseBounds {
 public:
  // Four points are three registers: xyzx yzxy zxyz.
  void add(int part, __m256d x) {
    lo_[part] = _mm256_min_pd(lo_[part], x);
    hi_[part] = _mm256_max_pd(hi_[part], x);
  }
  Bounds all() const {
    Bounds bounds = kNoBounds;
    double lower[12], upper[12];
    for (int r = 0; r < 3; ++r) {
      _mm256_storeu_pd(lower + 4 * r, lo_[r]);
      _mm256_storeu_pd(upper + 4 * r, hi_[r]);
    }
    for (int p = 0; p < 12; p += 3) include(bounds, lower + p, upper + p);
    return bounds;
  }

 private:
  __m256d lo_[3] = {_mm256_set1_pd(INFINITY), _mm256_set1_pd(INFINITY), _mm256_set1_pd(INFINITY)};
  __m256d hi_[3] = {_mm256_set1_pd(-INFINITY), _mm256_set1_pd(-INFINITY),
                    _mm256_set1_pd(-INFINITY)};
};
#endif

inline Bounds bounds_of(const double* points, std::size_t n) {
  Bounds bounds = kNoBounds;
  std::size_t i = 0;
#if defined(__AVX2__)
  FourWiseBounds fours;
  for (; i + 4 <= n; i += 4) {
    for (int r = 0; r < 3; ++r) fours.add(r, _mm256_loadu_pd(points + 3 * i + 4 * r));
  }
  bounds = fours.all();
#endif
  for (; i < n; ++i) include(bounds, points + 3 * i, points + 3 * i);
  return bounds;
}

// Of a coordinate in a frame. Half an ulp of a float below one is 2^-25 = 2.98e-8; the float64
// subtraction adds 2^-53.
constexpr double kRounding = 3.0e-8;

struct Frame {
  double centre[3];
  double scale;
};

// The centre of the box at zero, all points in it within one; the scale is a power of two.
inline Frame frame_of(const Bounds& bounds) {
  Frame frame;
  double reach = 0;
  for (int k = 0; k < 3; ++k) {
    const double lo = bounds.lo[k], hi = bounds.hi[k], centre = 0.5 * (lo + hi);
    frame.centre[k] = centre;
    reach = std::max({reach, hi - centre, centre - lo});
  }
  int exponent = 0;
  std::frexp(reach, &exponent);  // reach < 2^exponent
  frame.scale = std::ldexp(1.0, -std::max(exponent, -1000));
  return frame;
}

// Whether all points within the bounds are within one.
inline bool fits(const Frame& frame, const Bounds& bounds) {
  for (int k = 0; k < 3; ++k) {
    if (!((bounds.hi[k] - frame.centre[k]) * frame.scale < 1)) return false;
    if (!((bounds.lo[k] - frame.centre[k]) * frame.scale > -1)) return false;
  }
  return true;
}

inline Point4 in_frame(const Frame& f, const double* v) {
  return {static_cast<float>((v[0] - f.centre[0]) * f.scale),
          static_cast<float>((v[1] - f.centre[1]) * f.scale),
          static_cast<float>((v[2] - f.centre[2]) * f.scale), 0.0f};
}

inline void in_frame(const Frame& f, const double* points, std::size_t n, Point4* to) {
  std::size_t i = 0;
#if defined(__AVX2__)
  const double* c = f.centre;
  const __m256d centre[3] = {_mm256_setr_pd(c[0], c[1], c[2], c[0]),
                             _mm256_setr_pd(c[1], c[2], c[0], c[1]),
                             _mm256_setr_pd(c[2], c[0], c[1], c[2])};
  const __m256d scale = _mm256_set1_pd(f.scale);
  const __m128i zero = _mm_setzero_si128();
  for (; i + 4 <= n; i += 4) {
    __m128i x[3];
    for (int r = 0; r < 3; ++r) {
      // four points are three registers: xyzx yzxy zxyz
      const __m256d v = _mm256_loadu_pd(points + 3 * i + 4 * r);
      const __m256d moved = _mm256_mul_pd(_mm256_sub_pd(v, centre[r]), scale);
      x[r] = _mm_castps_si128(_mm256_cvtpd_ps(moved));
    }
    const auto put = [&](int j, __m128i point) {
      _mm_store_si128(reinterpret_cast<__m128i*>(to + i + j), point);
    };
    put(0, _mm_blend_epi32(x[0], zero, 8));
    put(1, _mm_blend_epi32(_mm_alignr_epi8(x[1], x[0], 12), zero, 8));
    put(2, _mm_blend_epi32(_mm_alignr_epi8(x[2], x[1], 8), zero, 8));
    put(3, _mm_srli_si128(x[2], 4));
  }
#endif
  for (; i < n; ++i) to[i] = in_frame(f, points + 3 * i);
}

}  // namespace impinge
