// Numbers that are never rounded: sums and products of doubles, of any size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace impinge {

// sign * (limbs from low to high) * 2^(32 * exponent); no zero limb at either end.
class Dyadic {
 public:
  Dyadic() = default;
  Dyadic(double x) {
    if (x == 0 || !std::isfinite(x)) return;  // what is not finite counts as nothing
    sign_ = x > 0 ? 1 : -1;
    int power = 0;
    const auto mantissa =
        static_cast<std::uint64_t>(std::scalbn(std::frexp(std::abs(x), &power), 53));
    power -= 53;
    const int shift = ((power % 32) + 32) % 32;
    exponent_ = (power - shift) / 32;
    const std::uint64_t low = (mantissa & 0xffffffffu) << shift;
    const std::uint64_t high = ((mantissa >> 32) << shift) + (low >> 32);
    limbs_ = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high),
              static_cast<std::uint32_t>(high >> 32)};
    trim();
  }

  int sign() const { return sign_; }

  // a / b, rounded by less than 2^-49 of itself.
  friend double quotient(const Dyadic& a, const Dyadic& b) {
    return std::ldexp(a.leading() / b.leading(), 32 * (a.top() - b.top()));
  }

  friend Dyadic operator-(Dyadic a) {
    a.sign_ = -a.sign_;
    return a;
  }
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b) {
    if (a.sign_ == 0) return b;
    if (b.sign_ == 0) return a;
    if (a.sign_ == b.sign_) return combine(a, b, true);
    const int order = compare_size(a, b);
    if (order == 0) return {};
    return order > 0 ? combine(a, b, false) : combine(b, a, false);
  }
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + (-b); }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    Dyadic product;
    product.sign_ = a.sign_ * b.sign_;
    if (product.sign_ == 0) return product;
    product.exponent_ = a.exponent_ + b.exponent_;
    product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
        carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product.limbs_[i + j];
        product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      product.limbs_[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
    }
    product.trim();
    return product;
  }

 private:
  int top() const { return exponent_ + static_cast<int>(limbs_.size()); }
  // Of the first three limbs, as if they were the only ones; rounded by less than 2^-51.
  double leading() const {
    double value = 0, unit = 1;
    for (std::size_t i = limbs_.size(); i-- > 0 && unit > 0x1p-70; unit *= 0x1p-32) {
      value += limbs_[i] * unit;
    }
    return sign_ * value;
  }
  // The limb of a power of 2^32.
  std::uint32_t limb(int power) const {
    return power < exponent_ || power >= top() ? 0 : limbs_[power - exponent_];
  }

  static int compare_size(const Dyadic& a, const Dyadic& b) {
    for (int power = std::max(a.top(), b.top()); power-- > std::min(a.exponent_, b.exponent_);) {
      const std::uint32_t x = a.limb(power), y = b.limb(power);
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  }

  // |a| + |b|, or |a| - |b| for the larger a, with the sign of a.
  static Dyadic combine(const Dyadic& a, const Dyadic& b, bool add) {
    Dyadic sum;
    sum.sign_ = a.sign_;
    sum.exponent_ = std::min(a.exponent_, b.exponent_);
    const int top = std::max(a.top(), b.top());
    sum.limbs_.reserve(static_cast<std::size_t>(top - sum.exponent_) + 1);
    std::int64_t carry = 0;
    for (int power = sum.exponent_; power < top; ++power) {
      const std::int64_t x = a.limb(power), y = b.limb(power);
      carry += add ? x + y : x - y;
      sum.limbs_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    sum.limbs_.push_back(static_cast<std::uint32_t>(carry));
    sum.trim();
    return sum;
  }

  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    const auto first =
        std::find_if(limbs_.begin(), limbs_.end(), [](std::uint32_t x) { return x != 0; });
    exponent_ += static_cast<int>(first - limbs_.begin());
    limbs_.erase(limbs_.begin(), first);
    if (limbs_.empty()) {
      sign_ = 0;
      exponent_ = 0;
    }
  }

  int sign_ = 0, exponent_ = 0;
  std::vector<std::uint32_t> limbs_;
};

inline int sign(const Dyadic& x) { return x.sign(); }

}  // namespace impinge
