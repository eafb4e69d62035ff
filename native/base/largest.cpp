#include "base/largest.hpp"

#include <algorithm>

namespace impinge {

std::uint32_t largest_of(const std::int32_t* values, std::size_t n) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::uint32_t(values[i]));
  return largest;
}

}  // namespace impinge
