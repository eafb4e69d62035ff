// How large many numbers are, which are looked at once and in one go.
#pragma once

#include <cstddef>
#include <cstdint>

namespace impinge {

// Negative ones count as large; 0 of none.
std::uint32_t largest_of(const std::int32_t* values, std::size_t n);

// Whether all are at most so large, either side of zero; NaN is not.
bool all_within(const double* values, std::size_t n, double limit);

}  // namespace impinge
