// One point in a register: three numbers of float64, or the same as floats.
#pragma once

#include <algorithm>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace impinge {

// A point padded to four floats, so that one aligned load brings it.
struct alignas(16) Point4 {
  float x, y, z, unused;
};

#if defined(__AVX2__)

struct Float3 {
  __m128 v;
  static Float3 load(const Point4& p) { return {_mm_load_ps(&p.x)}; }
  void store(Point4& p) const { _mm_store_ps(&p.x, v); }
};

// Nothing beyond the three numbers is read or written: they may be the last of an array.
struct Double3 {
  __m256d v;
  explicit Double3(double x) : v(_mm256_set1_pd(x)) {}
  Double3(__m256d x) : v(x) {}
  static Double3 load(const double* p) { return _mm256_maskload_pd(p, three()); }
  void store(double* p) const { _mm256_maskstore_pd(p, three(), v); }
  Float3 rounded() const { return {_mm256_cvtpd_ps(v)}; }

 private:
  static __m256i three() { return _mm256_setr_epi64x(-1, -1, -1, 0); }
};

inline Double3 operator-(Double3 a, Double3 b) { return _mm256_sub_pd(a.v, b.v); }
inline Double3 operator*(Double3 a, Double3 b) { return _mm256_mul_pd(a.v, b.v); }
inline Double3 min(Double3 a, Double3 b) { return _mm256_min_pd(a.v, b.v); }
inline Double3 max(Double3 a, Double3 b) { return _mm256_max_pd(a.v, b.v); }

#else

struct Float3 {
  Point4 v;
  static Float3 load(const Point4& p) { return {p}; }
  void store(Point4& p) const { p = v; }
};

struct Double3 {
  double v[3];
  explicit Double3(double x) : v{x, x, x} {}
  Double3(double x, double y, double z) : v{x, y, z} {}
  static Double3 load(const double* p) { return {p[0], p[1], p[2]}; }
  void store(double* p) const { std::copy_n(v, 3, p); }
  Float3 rounded() const {
    return {{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]), 0.0f}};
  }
};

template <class F>
inline Double3 by_axis(F f) {
  return {f(0), f(1), f(2)};
}
inline Double3 operator-(const Double3& a, const Double3& b) {
  return by_axis([&](int k) { return a.v[k] - b.v[k]; });
}
inline Double3 operator*(const Double3& a, const Double3& b) {
  return by_axis([&](int k) { return a.v[k] * b.v[k]; });
}
inline Double3 min(const Double3& a, const Double3& b) {
  return by_axis([&](int k) { return std::min(a.v[k], b.v[k]); });
}
inline Double3 max(const Double3& a, const Double3& b) {
  return by_axis([&](int k) { return std::max(a.v[k], b.v[k]); });
}

#endif

}  // namespace impinge
