// Coarser and coarser copies of a block pattern, as multigrid solves on them: the nodes of a level
// are aggregates of neighbours of the level below. They follow from the pattern alone, so that they
// are made once for all steps of a world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/block_pattern.hpp"

namespace impinge::sparse {

// How the nodes of one level become those of the next.
struct Coarsening {
  std::vector<std::int32_t> aggregates;  // of each finer node
  std::vector<std::int32_t> members;     // finer nodes, by aggregate
  std::vector<std::int32_t> starts;      // of the members of each aggregate
  std::vector<std::int32_t> places;      // of each finer block: where it is added
  BlockPattern pattern;                  // of the coarser level

  std::span<const std::int32_t> members_of(std::size_t aggregate) const {
    return std::span(members).subspan(
        static_cast<std::size_t>(starts[aggregate]),
        static_cast<std::size_t>(starts[aggregate + 1] - starts[aggregate]));
  }
};

class Hierarchy {
 public:
  explicit Hierarchy(const BlockPattern& finest);

  const BlockPattern& finest() const { return finest_; }
  const std::vector<Coarsening>& coarsenings() const { return coarsenings_; }

 private:
  BlockPattern finest_;
  std::vector<Coarsening> coarsenings_;
};

}  // namespace impinge::sparse
