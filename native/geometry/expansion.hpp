// Exact arithmetic on sums of doubles (J. R. Shewchuk, Adaptive Precision Floating-Point
// Arithmetic, 1997). Exact as long as no component underflows or overflows; `expansion_safe` tells
// when.
#pragma once

#include <cmath>

namespace impinge {

struct Pair {
  double high, low;
};

// high + low == a + b, high the rounded sum.
inline Pair two_sum(double a, double b) {
  const double high = a + b;
  const double b_part = high - a;
  const double a_part = high - b_part;
  return {high, (a - a_part) + (b - b_part)};
}

// The same for |a| >= |b|.
inline Pair fast_two_sum(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}

inline Pair two_diff(double a, double b) { return two_sum(a, -b); }

inline Pair two_product(double a, double b) {
  const double high = a * b;
  return {high, std::fma(a, b, -high)};
}

// A sum of nonzero, strongly nonoverlapping components of increasing magnitude; none is zero.
template <int Capacity>
struct Expansion {
  double component[Capacity];
  int size = 0;

  void push(double x) {
    component[size] = x;
    size += x != 0;
  }
  double estimate() const {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += component[i];
    return sum;
  }
};

inline Expansion<2> difference(double a, double b) {
  const Pair d = two_diff(a, b);
  Expansion<2> e;
  e.push(d.low);
  e.component[e.size] = d.high;
  e.size += d.high != 0;
  return e;
}

// The largest component outweighs all others together.
template <int N>
int sign(const Expansion<N>& e) {
  if (e.size == 0) return 0;
  return e.component[e.size - 1] > 0 ? 1 : -1;
}

template <int N>
Expansion<N> operator-(Expansion<N> e) {
  for (int i = 0; i < e.size; ++i) e.component[i] = -e.component[i];
  return e;
}

// FAST-EXPANSION-SUM: merge by magnitude, then carry upward.
template <int M, int N>
Expansion<M + N> operator+(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<M + N> sum;
  int i = 0, j = 0;
  const auto next = [&] {
    const bool from_e =
        j == f.size || (i < e.size && std::abs(e.component[i]) < std::abs(f.component[j]));
    return from_e ? e.component[i++] : f.component[j++];
  };
  const int total = e.size + f.size;
  if (total == 0) return sum;
  double carry = next();
  for (int k = 1; k < total; ++k) {
    const Pair s = two_sum(carry, next());
    sum.push(s.low);
    carry = s.high;
  }
  if (carry != 0) sum.component[sum.size++] = carry;
  return sum;
}

template <int M, int N>
Expansion<M + N> operator-(const Expansion<M>& e, const Expansion<N>& f) {
  return e + (-f);
}

// SCALE-EXPANSION.
template <int N>
Expansion<2 * N> operator*(const Expansion<N>& e, double b) {
  Expansion<2 * N> product;
  if (e.size == 0) return product;
  const Pair first = two_product(e.component[0], b);
  product.push(first.low);
  double carry = first.high;
  for (int i = 1; i < e.size; ++i) {
    const Pair p = two_product(e.component[i], b);
    const Pair s = two_sum(carry, p.low);
    product.push(s.low);
    const Pair t = fast_two_sum(p.high, s.high);
    product.push(t.low);
    carry = t.high;
  }
  if (carry != 0) product.component[product.size++] = carry;
  return product;
}

// Product with a difference of two doubles.
template <int N>
Expansion<4 * N> operator*(const Expansion<N>& e, const Expansion<2>& f) {
  Expansion<2 * N> low, high;
  if (f.size > 0) low = e * f.component[0];
  if (f.size > 1) high = e * f.component[1];
  return low + high;
}

// A 3x3 determinant of differences of such numbers is exact: a coordinate is a multiple of 2^-357,
// so every component of a triple product is a multiple of 2^-1071 and stays above the smallest
// double 2^-1074; differences are at most 2^339, so six triple products sum to less than 2^1020.
inline bool expansion_safe(double x) {
  const double size = std::abs(x);
  return size == 0 || (size >= 0x1p-305 && size <= 0x1p338);
}

}  // namespace impinge
