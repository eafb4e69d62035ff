// How many lanes there are, and the lanes of each mask.
#pragma once

#include <array>
#include <cstdint>

namespace impinge {

constexpr int kLanes = 8;

// The set bits of each byte, lowest first.
inline constexpr auto kPacked = [] {
  std::array<std::array<std::uint8_t, kLanes>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    int n = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (mask >> lane & 1) table[mask][n++] = static_cast<std::uint8_t>(lane);
    }
  }
  return table;
}();

}  // namespace impinge
