#pragma once

#include <bit>
#include <cstdint>

namespace impinge {

// Equal points, -0.0 and 0.0 included, have equal hashes. Coordinates that differ in a few high
// bits only are brought to different places first; then the finaliser of splitmix64 lets every
// input bit reach every output bit.
inline std::uint64_t point_hash(const double* v) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x + 0.0); };
  std::uint64_t h = bits(v[0]) ^ std::rotl(bits(v[1]), 21) ^ std::rotl(bits(v[2]), 42);
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

}  // namespace impinge
