// The oracle: every pair of triangles whose boxes overlap, by the exact test. No tree, no filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "geometry/kernels.hpp"
#include "mesh/body_mesh.hpp"
#include "pairs/rule.hpp"

namespace impinge {

struct BruteHit {
  std::int32_t a, b;
  Kind kind;
};

// Pairs (face of a, face of b), sorted. A margin is for the exact kernel.
std::vector<BruteHit> brute_pairs(const BodyMesh& a, const BodyMesh& b, Kernel kernel,
                                  const Rule& rule, int workers, const Ticker::Callback& tick);

// Pairs of faces a < b of one mesh, by the rule for one body, sorted.
std::vector<BruteHit> brute_self_pairs(const BodyMesh& mesh, const Rule& rule, int workers,
                                       const Ticker::Callback& tick);

}  // namespace impinge
