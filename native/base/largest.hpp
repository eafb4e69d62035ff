// The largest of many indices, which are looked at once and in one go.
#pragma once

#include <cstddef>
#include <cstdint>

namespace impinge {

// Negative ones count as large; 0 of none.
std::uint32_t largest_of(const std::int32_t* values, std::size_t n);

}  // namespace impinge
