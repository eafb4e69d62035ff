// Polynomials of time that are never rounded, and their roots between 0 and 1.
#pragma once

#include <vector>

#include "geometry/dyadic.hpp"

namespace impinge::motion {

class Polynomial {
 public:
  Polynomial() = default;
  // The one that is `start` at 0 and `end` at 1.
  Polynomial(const Dyadic& start, const Dyadic& end) : terms_{start, end - start} { trim(); }

  bool is_zero() const { return terms_.empty(); }
  // -1 of the one that is zero.
  int degree() const { return static_cast<int>(terms_.size()) - 1; }
  Dyadic at(const Dyadic& t) const;
  int sign_at(const Dyadic& t) const { return sign(at(t)); }
  Polynomial derivative() const;
  // Without the roots that it has more than once; the others keep their sign changes.
  Polynomial without_repeats() const;

  friend Polynomial operator+(const Polynomial& p, const Polynomial& q) { return joined(p, q, 1); }
  friend Polynomial operator-(const Polynomial& p, const Polynomial& q) { return joined(p, q, -1); }
  friend Polynomial operator*(const Polynomial& p, const Polynomial& q);

  // A positive multiple of the quotient and of the remainder.
  struct Division;
  friend Division divided(const Polynomial& p, const Polynomial& q);
  // Up to a factor.
  friend Polynomial common_factor(Polynomial p, Polynomial q);

 private:
  static Polynomial joined(const Polynomial& p, const Polynomial& q, int factor);
  void trim() {
    while (!terms_.empty() && sign(terms_.back()) == 0) terms_.pop_back();
  }
  std::vector<Dyadic> terms_;  // of rising powers, the last not zero
};

struct Polynomial::Division {
  Polynomial quotient, remainder;
};

// Counts the roots of a polynomial without repeated ones (C. Sturm, 1829).
class RootCounter {
 public:
  explicit RootCounter(const Polynomial& p);
  // In (low, high]: ends may be roots.
  int roots(const Dyadic& low, const Dyadic& high) const { return changes(low) - changes(high); }
  bool has_root_inside(const Dyadic& low, const Dyadic& high) const {
    return roots(low, high) - (chain_[0].sign_at(high) == 0) > 0;
  }

 private:
  int changes(const Dyadic& t) const;
  std::vector<Polynomial> chain_;
};

// A time: the only root of a polynomial between two others, or a number.
class Instant {
 public:
  explicit Instant(const Dyadic& time) : low_(time), high_(time) {}
  // Without repeated roots, and only one strictly between.
  Instant(const Polynomial& p, const Dyadic& low, const Dyadic& high)
      : of_(p), low_(low), high_(high), before_(p.sign_at(low)) {
    if (before_ == 0) before_ = p.derivative().sign_at(low);
  }

  // Of another polynomial at this time.
  int sign(const Polynomial& p) const;

 private:
  bool is_number() const { return of_.is_zero(); }
  void halve() const;

  // narrowed down when asked
  mutable Polynomial of_;
  mutable Dyadic low_, high_;
  int before_ = 0;  // sign between the lower end and the root
};

// The roots of a polynomial that is not zero, between 0 and 1 and neither of them.
std::vector<Instant> roots_inside(const Polynomial& p);

}  // namespace impinge::motion
