#include "mesh/closed.hpp"

#include <algorithm>
#include <vector>

#include "mesh/directed_edges.hpp"
#include "mesh/weld.hpp"

namespace impinge {
namespace {

using Uses = std::span<const DirectedEdges::Use>;

// How many edges are not used as they should be.
template <class IsGood>
std::size_t count_bad(const DirectedEdges& edges, const IsGood& is_good) {
  std::size_t bad = 0;
  edges.for_each_edge([&](std::int32_t, Uses uses) { bad += !is_good(uses); });
  return bad;
}

bool are_two(Uses uses) { return uses.size() == 2 && uses[0].upward() != uses[1].upward(); }

bool are_balanced(Uses uses) {
  const auto upward =
      std::count_if(uses.begin(), uses.end(), [](auto use) { return use.upward(); });
  return 2 * static_cast<std::size_t>(upward) == uses.size();
}

}  // namespace

bool is_closed(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers) {
  const std::vector<std::int32_t> first = weld(vertices, n, workers);
  const DirectedEdges edges(n, m, [&](std::size_t face, int k) {
    const std::int32_t v = faces[3 * face + k];
    return first.empty() ? v : first[v];
  });
  return !edges.empty() && count_bad(edges, are_two) == 0;
}

std::size_t count_open_edges(std::span<const Corners8> faces, std::size_t m, std::size_t n) {
  const DirectedEdges edges(
      n, m, [&](std::size_t face, int k) { return faces[face / kLanes].id[k][face % kLanes]; });
  return count_bad(edges, are_balanced);
}

}  // namespace impinge
