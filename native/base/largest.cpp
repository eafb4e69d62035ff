#include "base/largest.hpp"

#include <algorithm>
#include <cmath>

namespace impinge {

std::uint32_t largest_of(const std::int32_t* values, std::size_t n) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::uint32_t(values[i]));
  return largest;
}

bool all_within(const double* values, std::size_t n, double limit) {
  // a few at a time without a branch, so that many are compared at once
  constexpr std::size_t kTogether = 512;
  for (std::size_t i = 0; i < n; i += kTogether) {
    const std::size_t end = std::min(n, i + kTogether);
    std::uint64_t outside = 0;
    for (std::size_t j = i; j < end; ++j)
      outside |= std::uint64_t{!(std::fabs(values[j]) <= limit)};
    if (outside) return false;
  }
  return true;
}

}  // namespace impinge
