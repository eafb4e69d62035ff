// From candidates to colliding pairs: clipped boxes, whole boxes, the exact test.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ticker.hpp"
#include "pairs/findings.hpp"
#include "pairs/rule.hpp"
#include "raster/gather.hpp"
#include "raster/seen.hpp"

namespace impinge::raster {

struct ExactQuery {
  const std::vector<BodyMesh>& bodies;
  const Seen& seen;
  const std::int32_t* face;  // within its body, of each face of `seen`
  // Whether two different bodies may collide, row by row; empty: all may.
  std::vector<bool> wanted;
  Rule rule;
  // Faces of one body with a common vertex are not tested here but all at once, by `neighbours`.
  bool without_neighbours = false;

  bool may_collide(std::int32_t a, std::int32_t b) const {
    if (a == b) return seen.alone[a];
    return wanted.empty() || wanted[static_cast<std::size_t>(a) * bodies.size() + b];
  }
  Triangle triangle(std::size_t id) const {
    return bodies[static_cast<std::size_t>(seen.body[id])].triangle(
        static_cast<std::size_t>(face[id]));
  }
};

struct ExactCounters {
  std::uint64_t potentially_colliding = 0;  // candidates with a partner
  std::uint64_t tests = 0;                  // of pairs
};

// Sweeps over the clipped boxes (ids, 4) of the candidates, rows `ids` of `seen`.
void exact_pairs(const ExactQuery& query, std::span<const std::int32_t> ids,
                 const std::int32_t* boxes, int workers, const Ticker::Callback& tick,
                 Findings& findings, ExactCounters& counters);

// Pairs of faces of a body that is alone and all of whose faces are in `seen`, from row `first` on,
// which have a common vertex and meet beyond it.
void exact_neighbours(const ExactQuery& query, std::int32_t body, std::size_t first,
                      std::int32_t vertex_offset, int workers, const Ticker::Callback& tick,
                      Findings& findings, ExactCounters& counters);

}  // namespace impinge::raster
