// Exact arithmetic on sums of doubles (J. R. Shewchuk, Adaptive Precision Floating-Point
// Arithmetic, 1997). Exact as long as no component underflows or overflows; `expansion_safe` tells
// when.
#pragma once

#include <cmath>

namespace impinge {

// high + low, high the rounded value of the sum.
struct Pair {
  double high, low;
};

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

// A sum of strongly nonoverlapping components of increasing magnitude, none of them zero.
template <int Capacity>
struct Expansion {
  double component[Capacity];
  int size = 0;

  void push(double x) {
    if (x != 0) component[size++] = x;
  }
};

inline Expansion<2> difference(double a, double b) {
  const Pair d = two_diff(a, b);
  Expansion<2> e;
  e.push(d.low);
  e.push(d.high);
  return e;
}

// The largest component outweighs all others together.
template <int N>
int sign(const Expansion<N>& e) {
  if (e.size == 0) return 0;
  return e.component[e.size - 1] > 0 ? 1 : -1;
}

// sum = e + f or e - f by FAST-EXPANSION-SUM: merge by magnitude, then carry upward.
template <int M, int N, int S>
void add(const Expansion<M>& e, const Expansion<N>& f, double f_factor, Expansion<S>& sum) {
  static_assert(S >= M + N);
  int i = 0, j = 0;
  double carry = 0;
  while (i < e.size || j < f.size) {
    const bool from_e =
        j == f.size || (i < e.size && std::abs(e.component[i]) < std::abs(f.component[j]));
    const double next = from_e ? e.component[i++] : f_factor * f.component[j++];
    const Pair s = two_sum(carry, next);
    sum.push(s.low);
    carry = s.high;
  }
  sum.push(carry);
}

// product = e * b by SCALE-EXPANSION.
template <int N, int P>
void scale(const Expansion<N>& e, double b, Expansion<P>& product) {
  static_assert(P >= 2 * N);
  double carry = 0;
  for (int i = 0; i < e.size; ++i) {
    const Pair p = two_product(e.component[i], b);
    const Pair s = two_sum(carry, p.low);
    product.push(s.low);
    const Pair t = fast_two_sum(p.high, s.high);
    product.push(t.low);
    carry = t.high;
  }
  product.push(carry);
}

template <int M, int N>
Expansion<M + N> operator+(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<M + N> sum;
  add(e, f, 1, sum);
  return sum;
}

template <int M, int N>
Expansion<M + N> operator-(const Expansion<M>& e, const Expansion<N>& f) {
  Expansion<M + N> sum;
  add(e, f, -1, sum);
  return sum;
}

// Product with a difference of two doubles.
template <int N>
Expansion<4 * N> operator*(const Expansion<N>& e, const Expansion<2>& f) {
  Expansion<4 * N> product;
  if (f.size == 1) {
    scale(e, f.component[0], product);
  } else if (f.size == 2) {
    Expansion<2 * N> low, high;
    scale(e, f.component[0], low);
    scale(e, f.component[1], high);
    add(low, high, 1, product);
  }
  return product;
}

// A 3x3 determinant of differences of such numbers is exact: a coordinate is a multiple of 2^-357,
// so every component of a triple product is a multiple of 2^-1071 and stays above the smallest
// double 2^-1074; differences are at most 2^339, so six triple products sum to less than 2^1020.
inline bool expansion_safe(double x) {
  const double size = std::abs(x);
  return size == 0 || (size >= 0x1p-305 && size <= 0x1p338);
}

}  // namespace impinge
