// Eight float lanes: AVX2 where the build allows it, plain loops elsewhere.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace impinge {

constexpr int kLanes = 8;

// The set bits of each byte, lowest first.
inline constexpr auto kPacked = [] {
  std::array<std::array<std::uint8_t, kLanes>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    int n = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (mask >> lane & 1) table[mask][n++] = static_cast<std::uint8_t>(lane);
    }
  }
  return table;
}();

#if defined(__AVX2__)

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

#else

struct alignas(32) Float8 {
  float v[kLanes];
  Float8() = default;
  explicit Float8(float x) {
    for (float& lane : v) lane = x;
  }
  static Float8 load(const float* p) {
    Float8 r;
    for (int i = 0; i < kLanes; ++i) r.v[i] = p[i];
    return r;
  }
  static Float8 loadu(const float* p) { return load(p); }
  void store(float* p) const {
    for (int i = 0; i < kLanes; ++i) p[i] = v[i];
  }
  void storeu(float* p) const { store(p); }
};

struct alignas(32) Mask8 {
  std::int32_t v[kLanes];
};

template <class F>
inline Float8 lanewise(F f) {
  Float8 r;
  for (int i = 0; i < kLanes; ++i) r.v[i] = f(i);
  return r;
}
template <class F>
inline Mask8 lanewise_mask(F f) {
  Mask8 r;
  for (int i = 0; i < kLanes; ++i) r.v[i] = -static_cast<std::int32_t>(f(i));
  return r;
}

inline Float8 operator+(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] + b.v[i]; });
}
inline Float8 operator-(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] - b.v[i]; });
}
inline Float8 operator*(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] * b.v[i]; });
}
inline Float8 operator/(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] / b.v[i]; });
}
inline Float8 sqrt(const Float8& a) {
  return lanewise([&](int i) { return std::sqrt(a.v[i]); });
}
inline Float8 min(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float8 max(const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Float8 abs(const Float8& a) {
  return lanewise([&](int i) { return std::fabs(a.v[i]); });
}
inline Float8 negative(const Float8& a) {
  return lanewise([&](int i) { return -a.v[i]; });
}
inline Float8 mul_add(const Float8& a, const Float8& b, const Float8& c) {
  return lanewise([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}
inline Float8 mul_sub(const Float8& a, const Float8& b, const Float8& c) {
  return lanewise([&](int i) { return a.v[i] * b.v[i] - c.v[i]; });
}
inline Mask8 operator<=(const Float8& a, const Float8& b) {
  return lanewise_mask([&](int i) { return a.v[i] <= b.v[i]; });
}
inline Mask8 operator>(const Float8& a, const Float8& b) {
  return lanewise_mask([&](int i) { return a.v[i] > b.v[i]; });
}
inline Mask8 operator&(const Mask8& a, const Mask8& b) {
  return lanewise_mask([&](int i) { return (a.v[i] & b.v[i]) != 0; });
}
inline Mask8 operator|(const Mask8& a, const Mask8& b) {
  return lanewise_mask([&](int i) { return (a.v[i] | b.v[i]) != 0; });
}
inline Mask8 without(const Mask8& a, const Mask8& b) {
  return lanewise_mask([&](int i) { return (a.v[i] & ~b.v[i]) != 0; });
}
inline unsigned bits(const Mask8& m) {
  unsigned r = 0;
  for (int i = 0; i < kLanes; ++i) r |= static_cast<unsigned>(m.v[i] & 1) << i;
  return r;
}

struct alignas(32) Int8 {
  std::int32_t v[kLanes];
  Int8() = default;
  explicit Int8(std::int32_t x) {
    for (std::int32_t& lane : v) lane = x;
  }
  template <class Integer>
  static Int8 load(const Integer* p) {
    return lanewise_int([&](int i) { return p[i]; });
  }
  static Int8 loadu(const std::int32_t* p) { return load(p); }
  void storeu(std::uint32_t* p) const {
    for (int i = 0; i < kLanes; ++i) p[i] = static_cast<std::uint32_t>(v[i]);
  }
  template <class F>
  static Int8 lanewise_int(F f) {
    Int8 r;
    for (int i = 0; i < kLanes; ++i) r.v[i] = static_cast<std::int32_t>(f(i));
    return r;
  }
};
inline Int8 operator+(const Int8& a, const Int8& b) {
  return Int8::lanewise_int([&](int i) { return a.v[i] + b.v[i]; });
}
inline Mask8 operator==(const Int8& a, const Int8& b) {
  return lanewise_mask([&](int i) { return a.v[i] == b.v[i]; });
}
inline Mask8 operator>(const Int8& a, const Int8& b) {
  return lanewise_mask([&](int i) { return a.v[i] > b.v[i]; });
}

inline Float8 spread(const Float8& a, int lane) { return Float8(a.v[lane]); }
inline float lowest(const Float8& a) {
  float r = a.v[0];
  for (int i = 1; i < kLanes; ++i) r = a.v[i] < r ? a.v[i] : r;
  return r;
}
inline float highest(const Float8& a) {
  float r = a.v[0];
  for (int i = 1; i < kLanes; ++i) r = a.v[i] > r ? a.v[i] : r;
  return r;
}
inline float total(const Float8& a) {
  const auto two = [&](int i) { return a.v[i] + a.v[i + 4]; };
  return (two(0) + two(2)) + (two(1) + two(3));
}

inline Float8 lowest_of_each(const Float8 (&a)[kLanes]) {
  return lanewise([&](int i) { return lowest(a[i]); });
}

inline Float8 select(const Mask8& m, const Float8& a, const Float8& b) {
  return lanewise([&](int i) { return m.v[i] ? a.v[i] : b.v[i]; });
}

inline void store_bits(const Float8& a, std::uint32_t* p) {
  for (int i = 0; i < kLanes; ++i) p[i] = std::bit_cast<std::uint32_t>(a.v[i]);
}

inline void store_pairs(std::uint32_t a, const Int8& b, std::uint32_t* p) {
  for (int i = 0; i < kLanes; ++i) {
    p[2 * i] = a;
    p[2 * i + 1] = static_cast<std::uint32_t>(b.v[i]);
  }
}

struct Packer8 {
  const std::uint8_t* index;
  explicit Packer8(unsigned mask) : index(kPacked[mask].data()) {}
  Float8 operator()(const Float8& x) const {
    return lanewise([&](int i) { return x.v[index[i]]; });
  }
  Int8 operator()(const Int8& x) const {
    return Int8::lanewise_int([&](int i) { return x.v[index[i]]; });
  }
  Int8 lanes() const {
    return Int8::lanewise_int([&](int i) { return index[i]; });
  }
};

struct Picker8 {
  std::uint8_t index[kLanes];
  Picker8(const std::uint8_t* bytes, int shift) {
    for (int i = 0; i < kLanes; ++i) index[i] = (bytes[i] >> shift) & 7;
  }
  Float8 operator()(const float* from) const {
    return lanewise([&](int i) { return from[index[i]]; });
  }
  Int8 lanes() const {
    return Int8::lanewise_int([&](int i) { return index[i]; });
  }
};

#endif

// m (x, y, z) + t in float64, each coordinate rounded to float32 once.
inline void map_points(const double (&m)[3][3], const double (&t)[3], const float* const (&from)[3],
                       float* const (&to)[3]) {
#if defined(__AVX2__)
  for (int half = 0; half < kLanes; half += 4) {
    const __m256d x = _mm256_cvtps_pd(_mm_load_ps(from[0] + half));
    const __m256d y = _mm256_cvtps_pd(_mm_load_ps(from[1] + half));
    const __m256d z = _mm256_cvtps_pd(_mm_load_ps(from[2] + half));
    for (int k = 0; k < 3; ++k) {
      const __m256d sum = _mm256_fmadd_pd(
          _mm256_set1_pd(m[k][0]), x,
          _mm256_fmadd_pd(_mm256_set1_pd(m[k][1]), y,
                          _mm256_fmadd_pd(_mm256_set1_pd(m[k][2]), z, _mm256_set1_pd(t[k]))));
      _mm_store_ps(to[k] + half, _mm256_cvtpd_ps(sum));
    }
  }
#else
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kLanes; ++i) {
      const double x = from[0][i], y = from[1][i], z = from[2][i];
      to[k][i] = static_cast<float>(m[k][0] * x + (m[k][1] * y + (m[k][2] * z + t[k])));
    }
  }
#endif
}

// Asks for memory that will be read soon.
inline void prefetch([[maybe_unused]] const void* p, [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__) || defined(__clang__)
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(p) + i);
#endif
}

// A byte for each of 32 rows, read by columns of bits.
class ByteColumns {
 public:
  void set(int row, unsigned byte) { rows_[row] = static_cast<std::uint8_t>(byte); }
  // Bit k of each row.
  std::uint32_t column(int k) const {
#if defined(__AVX2__)
    const __m256i rows = _mm256_load_si256(reinterpret_cast<const __m256i*>(rows_));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi64(rows, 7 - k)));
#else
    std::uint32_t column = 0;
    for (int row = 0; row < 32; ++row) column |= (rows_[row] >> k & 1u) << row;
    return column;
#endif
  }

 private:
  alignas(32) std::uint8_t rows_[32] = {};
};

// Calls f(lane) for every set bit, lowest first.
template <class Bits, class F>
inline void for_each_bit(Bits mask, F f) {
  for (; mask; mask &= mask - 1) f(std::countr_zero(mask));
}

}  // namespace impinge
