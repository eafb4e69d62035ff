// Eight float lanes in one AVX2 register.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "base/lane_table.hpp"

namespace impinge {

struct Float8 {
  __m256 v;
  Float8() = default;
  Float8(__m256 x) : v(x) {}
  explicit Float8(float x) : v(_mm256_set1_ps(x)) {}
  static Float8 load(const float* p) { return _mm256_load_ps(p); }
  static Float8 loadu(const float* p) { return _mm256_loadu_ps(p); }
  void store(float* p) const { _mm256_store_ps(p, v); }
  void storeu(float* p) const { _mm256_storeu_ps(p, v); }
};

struct Mask8 {
  __m256 v;
};

inline Float8 operator+(Float8 a, Float8 b) { return _mm256_add_ps(a.v, b.v); }
inline Float8 operator-(Float8 a, Float8 b) { return _mm256_sub_ps(a.v, b.v); }
inline Float8 operator*(Float8 a, Float8 b) { return _mm256_mul_ps(a.v, b.v); }
inline Float8 operator/(Float8 a, Float8 b) { return _mm256_div_ps(a.v, b.v); }
inline Float8 sqrt(Float8 a) { return _mm256_sqrt_ps(a.v); }
inline Float8 min(Float8 a, Float8 b) { return _mm256_min_ps(a.v, b.v); }
inline Float8 max(Float8 a, Float8 b) { return _mm256_max_ps(a.v, b.v); }
inline Float8 abs(Float8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v); }
inline Float8 negative(Float8 a) { return _mm256_xor_ps(_mm256_set1_ps(-0.0f), a.v); }
// a*b + c and a*b - c, rounded once or twice: error bounds must allow for twice.
inline Float8 mul_add(Float8 a, Float8 b, Float8 c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
inline Float8 mul_sub(Float8 a, Float8 b, Float8 c) { return _mm256_fmsub_ps(a.v, b.v, c.v); }
inline Mask8 operator<=(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)}; }
inline Mask8 operator>(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)}; }
inline Mask8 operator&(Mask8 a, Mask8 b) { return {_mm256_and_ps(a.v, b.v)}; }
inline Mask8 operator|(Mask8 a, Mask8 b) { return {_mm256_or_ps(a.v, b.v)}; }
// In a and not in b.
inline Mask8 without(Mask8 a, Mask8 b) { return {_mm256_andnot_ps(b.v, a.v)}; }
inline unsigned bits(Mask8 m) { return static_cast<unsigned>(_mm256_movemask_ps(m.v)); }

struct Int8 {
  __m256i v;
  explicit Int8(std::int32_t x) : v(_mm256_set1_epi32(x)) {}
  Int8(__m256i x) : v(x) {}
  static Int8 load(const std::int32_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
  }
  static Int8 load(const std::uint32_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
  }
  static Int8 loadu(const std::int32_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  void storeu(std::uint32_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
};
inline Int8 operator+(Int8 a, Int8 b) { return _mm256_add_epi32(a.v, b.v); }
inline Mask8 operator==(Int8 a, Int8 b) {
  return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.v, b.v))};
}
inline Mask8 operator>(Int8 a, Int8 b) {
  return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(a.v, b.v))};
}

inline float lowest(Float8 a) {
  __m128 m = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  m = _mm_min_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_min_ss(m, _mm_movehdup_ps(m)));
}
inline float highest(Float8 a) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}
inline float total(Float8 a) {
  __m128 m = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  m = _mm_add_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_add_ss(m, _mm_movehdup_ps(m)));
}

// One lane in all of them.
inline Float8 spread(Float8 a, int lane) {
  return _mm256_permutevar8x32_ps(a.v, _mm256_set1_epi32(lane));
}

// Lane i of the result is the lowest lane of a[i]: pairs of registers are folded into one, three
// times.
inline Float8 lowest_of_each(const Float8 (&a)[kLanes]) {
  const auto pairs = [&](int i) {
    return _mm256_min_ps(_mm256_unpacklo_ps(a[i].v, a[i + 1].v),
                         _mm256_unpackhi_ps(a[i].v, a[i + 1].v));
  };
  const auto fours = [&](int i) {
    const __m256 x = pairs(i), y = pairs(i + 2);
    return _mm256_min_ps(_mm256_shuffle_ps(x, y, 0x44), _mm256_shuffle_ps(x, y, 0xEE));
  };
  const __m256 x = fours(0), y = fours(4);
  return _mm256_min_ps(_mm256_permute2f128_ps(x, y, 0x20), _mm256_permute2f128_ps(x, y, 0x31));
}

// Lanes where the mask is set come from a, the others from b.
inline Float8 select(Mask8 m, Float8 a, Float8 b) { return _mm256_blendv_ps(b.v, a.v, m.v); }

inline void store_bits(Float8 a, std::uint32_t* p) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(p), _mm256_castps_si256(a.v));
}

// Lanes of `from` picked by the low three bits of each index.
struct Picker8 {
  __m256i index;
  explicit Picker8(const std::uint8_t* bytes, int shift)
      : index(_mm256_srli_epi32(
            _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))),
            shift)) {}
  Float8 operator()(const float* from) const {
    return _mm256_permutevar8x32_ps(_mm256_load_ps(from), index);
  }
  Int8 lanes() const { return _mm256_and_si256(index, _mm256_set1_epi32(kLanes - 1)); }
};

// a, b[0], a, b[1] ...
inline void store_pairs(std::uint32_t a, Int8 b, std::uint32_t* p) {
  const __m256i firsts = _mm256_set1_epi32(static_cast<std::int32_t>(a));
  const __m256i low = _mm256_unpacklo_epi32(firsts, b.v), high = _mm256_unpackhi_epi32(firsts, b.v);
  const auto put = [p](int at, __m256i x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + at), x);
  };
  put(0, _mm256_permute2x128_si256(low, high, 0x20));
  put(kLanes, _mm256_permute2x128_si256(low, high, 0x31));
}

// Moves the lanes of a mask to the front, in their order; the lanes behind them mean nothing.
struct Packer8 {
  __m256i index;
  explicit Packer8(unsigned mask)
      : index(_mm256_cvtepu8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPacked[mask].data())))) {}
  Float8 operator()(Float8 x) const { return _mm256_permutevar8x32_ps(x.v, index); }
  Int8 operator()(Int8 x) const { return _mm256_permutevar8x32_epi32(x.v, index); }
  Int8 lanes() const { return index; }
};

}  // namespace impinge
