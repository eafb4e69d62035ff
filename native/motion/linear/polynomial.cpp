#include "motion/linear/polynomial.hpp"

#include <algorithm>
#include <utility>

namespace impinge::motion {
namespace {

Dyadic middle(const Dyadic& a, const Dyadic& b) { return (a + b) * Dyadic(0.5); }

}  // namespace

Dyadic Polynomial::at(const Dyadic& t) const {
  Dyadic value;
  for (std::size_t i = terms_.size(); i-- > 0;) value = value * t + terms_[i];
  return value;
}

Polynomial Polynomial::derivative() const {
  Polynomial d;
  for (std::size_t i = 1; i < terms_.size(); ++i) {
    d.terms_.push_back(terms_[i] * Dyadic(static_cast<double>(i)));
  }
  return d;
}

Polynomial Polynomial::joined(const Polynomial& p, const Polynomial& q, int factor) {
  Polynomial r = p;
  if (r.terms_.size() < q.terms_.size()) r.terms_.resize(q.terms_.size());
  for (std::size_t i = 0; i < q.terms_.size(); ++i) {
    r.terms_[i] = factor > 0 ? r.terms_[i] + q.terms_[i] : r.terms_[i] - q.terms_[i];
  }
  r.trim();
  return r;
}

Polynomial operator*(const Polynomial& p, const Polynomial& q) {
  Polynomial r;
  if (p.is_zero() || q.is_zero()) return r;
  r.terms_.resize(p.terms_.size() + q.terms_.size() - 1);
  for (std::size_t i = 0; i < p.terms_.size(); ++i) {
    for (std::size_t j = 0; j < q.terms_.size(); ++j) {
      r.terms_[i + j] = r.terms_[i + j] + p.terms_[i] * q.terms_[j];
    }
  }
  return r;
}

// Each step multiplies both by |leading term of q|, so that nothing is divided.
Polynomial::Division divided(const Polynomial& p, const Polynomial& q) {
  Polynomial::Division d{{}, p};
  std::vector<Dyadic>&quotient = d.quotient.terms_, &rest = d.remainder.terms_;
  const int extra = p.degree() - q.degree();
  if (extra < 0) return d;
  quotient.resize(static_cast<std::size_t>(extra) + 1);
  const Dyadic& leading = q.terms_.back();
  const bool negative = sign(leading) < 0;
  const Dyadic size = negative ? -leading : leading;
  for (int power = extra; power >= 0; --power) {
    const std::size_t top = static_cast<std::size_t>(power) + q.terms_.size() - 1;
    const Dyadic by = negative ? -rest[top] : rest[top];
    for (Dyadic& term : rest) term = term * size;
    for (Dyadic& term : quotient) term = term * size;
    quotient[static_cast<std::size_t>(power)] = by;
    for (std::size_t i = 0; i < q.terms_.size(); ++i) {
      Dyadic& term = rest[static_cast<std::size_t>(power) + i];
      term = term - by * q.terms_[i];
    }
  }
  d.remainder.trim();
  d.quotient.trim();
  return d;
}

Polynomial common_factor(Polynomial p, Polynomial q) {
  if (p.degree() < q.degree()) std::swap(p, q);
  while (!q.is_zero()) {
    Polynomial rest = divided(p, q).remainder;
    p = std::move(q);
    q = std::move(rest);
  }
  return p;
}

Polynomial Polynomial::without_repeats() const {
  const Polynomial repeated = common_factor(*this, derivative());
  return repeated.degree() < 1 ? *this : divided(*this, repeated).quotient;
}

RootCounter::RootCounter(const Polynomial& p) : chain_{p, p.derivative()} {
  while (!chain_.back().is_zero()) {
    chain_.push_back(Polynomial() - divided(chain_[chain_.size() - 2], chain_.back()).remainder);
  }
  chain_.pop_back();
}

int RootCounter::changes(const Dyadic& t) const {
  int count = 0, last = 0;
  for (const Polynomial& p : chain_) {
    const int now = p.sign_at(t);
    if (now == 0) continue;
    count += last != 0 && now != last;
    last = now;
  }
  return count;
}

// The half that holds the root; the middle may be it.
void Instant::halve() const {
  const Dyadic half = middle(low_, high_);
  const int now = of_.sign_at(half);
  if (now != before_) high_ = half;
  if (now == before_ || now == 0) low_ = half;
  if (now == 0) of_ = Polynomial();
}

int Instant::sign(const Polynomial& p) const {
  if (p.degree() < 1 || is_number()) return p.sign_at(low_);
  const Polynomial common = common_factor(of_, p);
  if (common.degree() > 0 && RootCounter(common).has_root_inside(low_, high_)) return 0;
  // not zero here, and so the same sign in some part around
  const RootCounter counter(p.without_repeats());
  while (!is_number() && counter.roots(low_, high_) > 0) halve();
  return p.sign_at(high_);
}

std::vector<Instant> roots_inside(const Polynomial& p) {
  std::vector<Instant> found;
  const Polynomial simple = p.without_repeats();
  const RootCounter counter(simple);
  std::vector<std::pair<Dyadic, Dyadic>> parts{{Dyadic(0.0), Dyadic(1.0)}};
  while (!parts.empty()) {
    const auto [low, high] = parts.back();
    parts.pop_back();
    const int count = counter.roots(low, high) - (simple.sign_at(high) == 0);
    if (count == 1) found.emplace_back(simple, low, high);
    if (count < 2) continue;
    const Dyadic half = middle(low, high);
    if (simple.sign_at(half) == 0) found.emplace_back(half);
    parts.emplace_back(low, half);
    parts.emplace_back(half, high);
  }
  return found;
}

}  // namespace impinge::motion
