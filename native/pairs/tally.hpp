// What is counted on the way from candidates to pairs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace impinge {

struct Tally {
  std::uint64_t candidates = 0;  // pairs of triangles with overlapping boxes
  std::uint64_t undecided = 0;   // of these, left to the exact test by the float filter
  std::uint64_t star_tests = 0;  // exact tests of neighbours
};

// The sum of two structs of nothing but counters, such as a tally and what a detector adds to it.
template <class Counters>
Counters sum(const Counters& a, const Counters& b) {
  using Numbers = std::array<std::uint64_t, sizeof(Counters) / sizeof(std::uint64_t)>;
  auto total = std::bit_cast<Numbers>(a);
  const auto more = std::bit_cast<Numbers>(b);
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += more[i];
  return std::bit_cast<Counters>(total);
}

}  // namespace impinge
