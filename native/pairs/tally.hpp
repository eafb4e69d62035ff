// What is counted on the way from candidates to pairs.
#pragma once

#include <cstdint>

namespace impinge {

struct Tally {
  std::uint64_t candidates = 0;  // pairs of triangles with overlapping boxes
  std::uint64_t undecided = 0;   // of these, left to the exact test by the float filter
  std::uint64_t star_tests = 0;  // exact tests of neighbours
};

}  // namespace impinge
