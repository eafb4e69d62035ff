// Sums of what threads have counted or measured.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace impinge {

// Of two structs of nothing but numbers of one type, one by one.
template <class Number = std::uint64_t, class Struct>
Struct sum(const Struct& a, const Struct& b) {
  using Numbers = std::array<Number, sizeof(Struct) / sizeof(Number)>;
  auto total = std::bit_cast<Numbers>(a);
  const auto more = std::bit_cast<Numbers>(b);
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += more[i];
  return std::bit_cast<Struct>(total);
}

}  // namespace impinge
