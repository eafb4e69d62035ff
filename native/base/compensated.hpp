// Sums whose error does not grow with their length.
#pragma once

#include <cmath>

namespace impinge {

// Neumaier's variant of Kahan's sum: off by 2^-53 of the sum and n 2^-106 of the sum of sizes.
class CompensatedSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  void add(const CompensatedSum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

}  // namespace impinge
