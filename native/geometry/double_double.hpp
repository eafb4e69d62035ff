// Arithmetic with about 106 bits on unevaluated pairs of doubles. FrameMap errors with u = 2^-53
// (Joldes, Muller, Popescu 2017): sum at most 3.1 u^2, product at most 7 u^2.
#pragma once

#include "geometry/expansion.hpp"

namespace impinge {

inline Pair operator-(const Pair& x) { return {-x.high, -x.low}; }

inline Pair operator+(const Pair& x, const Pair& y) {
  const Pair s = two_sum(x.high, y.high);
  const Pair t = two_sum(x.low, y.low);
  const Pair v = fast_two_sum(s.high, s.low + t.high);
  return fast_two_sum(v.high, t.low + v.low);
}

inline Pair operator-(const Pair& x, const Pair& y) { return x + (-y); }

inline Pair operator*(const Pair& x, const Pair& y) {
  const Pair p = two_product(x.high, y.high);
  return fast_two_sum(p.high, p.low + (x.high * y.low + x.low * y.high));
}

}  // namespace impinge
