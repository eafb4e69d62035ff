// Numbers in float64 with a bound on all that was rounded.
#pragma once

#include <cmath>

#include "geometry/dyadic.hpp"
#include "geometry/expansion.hpp"

namespace impinge {

// The exact number is within `error` of `value`: on coarse grids, where nothing is rounded, it is
// the value. What overflows has no sign.
struct Bounded {
  double value = 0, error = 0;

  Bounded() = default;
  Bounded(double x) : value(x) {}
  Bounded(double x, double e) : value(x), error(e) {}

  bool is_exact() const { return error == 0; }
  Dyadic exact() const { return value; }

  friend Bounded operator-(const Bounded& a) { return {-a.value, a.error}; }
  friend Bounded operator+(const Bounded& a, const Bounded& b) {
    const Pair sum = two_sum(a.value, b.value);
    return rounded(sum.high, a.error + b.error, sum.low == 0);
  }
  friend Bounded operator-(const Bounded& a, const Bounded& b) { return a + (-b); }
  friend Bounded operator*(const Bounded& a, const Bounded& b) {
    const Pair product = two_product(a.value, b.value);
    const double error =
        std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error;
    // below, what is left of a product may be too small for a double, and so may the bound
    const bool is_large = std::abs(product.high) > 0x1p-900 || a.value == 0 || b.value == 0;
    const bool of_exact = a.error == 0 && b.error == 0;
    return rounded(product.high, error, product.low == 0 && is_large && of_exact);
  }

 private:
  // With the rounding of the bounds themselves, and what may underflow.
  static Bounded rounded(double x, double error, bool is_exact) {
    if (is_exact && error == 0) return {x, 0};
    return {x, 1.0000000000001 * (error + 0x1p-53 * std::abs(x)) + 0x1p-1060};
  }
};

// Sign of f(Number{}), an expression in numbers of that type: in float64 if that is certain.
template <class F>
int exact_sign(const F& f) {
  const Bounded b = f(Bounded{});
  if (b.value > b.error) return 1;
  if (b.value < -b.error) return -1;
  if (b.value == 0 && b.error == 0) return 0;
  return sign(f(Dyadic{}));
}

}  // namespace impinge
