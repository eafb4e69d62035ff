#include "mesh/shells.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/directed_edges.hpp"

namespace impinge {
namespace {

// Sets of numbers that are joined one by one.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::int32_t first(std::int32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::int32_t x, std::int32_t y) {
    x = first(x);
    y = first(y);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::int32_t> parent_;
};

}  // namespace

std::vector<std::int32_t> shells_of(std::span<const Corners8> faces, std::size_t m, std::size_t n,
                                    const std::vector<bool>& apart) {
  const DirectedEdges edges(
      n, m, [&](std::size_t face, int k) { return faces[face / kLanes].id[k][face % kLanes]; });
  Sets sets(m);
  edges.for_each_edge([&](std::int32_t, std::span<const DirectedEdges::Use> uses) {
    if (uses.size() != 2 || uses[0].upward() == uses[1].upward()) return;
    if (apart.empty() || (!apart[uses[0].face] && !apart[uses[1].face])) {
      sets.join(uses[0].face, uses[1].face);
    }
  });
  std::vector<std::int32_t> shells(m);
  for (std::size_t face = 0; face < m; ++face) {
    shells[face] = sets.first(static_cast<std::int32_t>(face));
  }
  return shells;
}

}  // namespace impinge
