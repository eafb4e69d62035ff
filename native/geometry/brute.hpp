// The oracle: every pair of triangles whose boxes overlap, by the exact test. No tree, no filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "parallel/ticker.hpp"

namespace impinge {

struct BruteMesh {
  const double* vertices;     // (n, 3)
  const std::int32_t* faces;  // (size, 3), valid indices
  std::size_t size;

  Triangle triangle(std::size_t face) const;
};

struct BruteHit {
  std::int32_t a, b;
  Kind kind;
};

// Pairs (face of a, face of b), sorted. `touching`: whether all kinds count, or crossings only.
std::vector<BruteHit> brute_pairs(const BruteMesh& a, const BruteMesh& b, Kernel kernel,
                                  bool touching, int workers, const Ticker::Callback& tick);

// Pairs of faces a < b of one mesh, by the rule for one body, sorted.
std::vector<BruteHit> brute_self_pairs(const BruteMesh& mesh, bool touching, bool report_duplicates,
                                       int workers, const Ticker::Callback& tick);

}  // namespace impinge
