// Eight float lanes: AVX2 where the build allows it, plain loops elsewhere.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include "base/lanes_avx2.hpp"
#else
#include "base/lanes_plain.hpp"
#endif

namespace impinge {

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
