// Integers wide enough for products of six differences of coordinates put on one binary exponent.
// Slow and plain: only for what expansions cannot hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace impinge {

// Sign and magnitude, limbs from low to high. In units of the smallest double a coordinate, at most
// 1e100, is below 2^1407, a product of six differences below 2^8448, and a hundred of those below
// 2^8455. Any doubles are below 2^2099, triple products of differences below 2^6300.
struct WideInteger {
  static constexpr int capacity = 272;
  std::uint32_t limb[capacity];
  int size = 0;
  int sign = 0;

  void trim() {
    while (size > 0 && limb[size - 1] == 0) --size;
    if (size == 0) sign = 0;
  }
};

inline int sign(const WideInteger& a) { return a.sign; }

// The exponent of the last mantissa bit of a nonzero double.
inline int unit_exponent(double x) {
  return std::isfinite(x) ? std::max(std::ilogb(x) - 52, -1074) : -1074;
}

// x / 2^exponent, for exponent <= unit_exponent(x). What is not finite counts as nothing, and so do
// products that are too wide: whatever they are asked about, nothing is written out of place.
inline WideInteger wide_integer(double x, int exponent) {
  WideInteger a;
  if (x == 0 || !std::isfinite(x)) return a;
  const int unit = unit_exponent(x);
  const auto mantissa = static_cast<std::uint64_t>(std::scalbn(std::abs(x), -unit));
  const int shift = unit - exponent;
  for (; a.size < shift / 32; ++a.size) a.limb[a.size] = 0;
  const std::uint32_t low = static_cast<std::uint32_t>(mantissa);
  const std::uint64_t first = std::uint64_t{low} << (shift % 32);
  const std::uint64_t second = (mantissa >> 32 << (shift % 32)) + (first >> 32);
  a.limb[a.size++] = static_cast<std::uint32_t>(first);
  a.limb[a.size++] = static_cast<std::uint32_t>(second);
  a.limb[a.size++] = static_cast<std::uint32_t>(second >> 32);
  a.sign = x > 0 ? 1 : -1;
  a.trim();
  return a;
}

inline WideInteger operator-(WideInteger a) {
  a.sign = -a.sign;
  return a;
}

inline int compare_magnitude(const WideInteger& a, const WideInteger& b) {
  if (a.size != b.size) return a.size < b.size ? -1 : 1;
  for (int i = a.size - 1; i >= 0; --i) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
  }
  return 0;
}

// |larger| + |smaller| or |larger| - |smaller|, with the sign of the larger.
inline WideInteger combine(const WideInteger& larger, const WideInteger& smaller, bool add) {
  WideInteger sum;
  sum.sign = larger.sign;
  std::int64_t carry = 0;
  for (int i = 0; i < larger.size; ++i) {
    const std::int64_t other = i < smaller.size ? smaller.limb[i] : 0;
    carry += std::int64_t{larger.limb[i]} + (add ? other : -other);
    sum.limb[sum.size++] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0 && sum.size < WideInteger::capacity)
    sum.limb[sum.size++] = static_cast<std::uint32_t>(carry);
  sum.trim();
  return sum;
}

inline WideInteger operator+(const WideInteger& a, const WideInteger& b) {
  if (a.sign == 0) return b;
  if (b.sign == 0) return a;
  const bool add = a.sign == b.sign;
  return compare_magnitude(a, b) >= 0 ? combine(a, b, add) : combine(b, a, add);
}

inline WideInteger operator-(const WideInteger& a, const WideInteger& b) { return a + (-b); }

inline WideInteger operator*(const WideInteger& a, const WideInteger& b) {
  WideInteger product;
  if (a.sign == 0 || b.sign == 0 || a.size + b.size > WideInteger::capacity) return product;
  product.sign = a.sign * b.sign;
  product.size = a.size + b.size;
  for (int i = 0; i < product.size; ++i) product.limb[i] = 0;
  for (int i = 0; i < a.size; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < b.size; ++j) {
      carry += std::uint64_t{a.limb[i]} * b.limb[j] + product.limb[i + j];
      product.limb[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product.limb[i + b.size] = static_cast<std::uint32_t>(carry);
  }
  product.trim();
  return product;
}

}  // namespace impinge
