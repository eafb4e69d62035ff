#include "mesh/edges.hpp"

#include <algorithm>
#include <utility>

#include "mesh/weld.hpp"

namespace impinge {

Edges edges_of(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers) {
  const std::vector<std::int32_t> first = weld(vertices, n, workers);
  const auto vertex = [&](std::size_t corner) {
    return first.empty() ? faces[corner] : first[faces[corner]];
  };
  // Slot s is the edge from corner s to the next one of its face.
  const auto ends = [&](std::size_t slot) {
    const std::int32_t a = vertex(slot), b = vertex(slot % 3 == 2 ? slot - 2 : slot + 1);
    return std::pair(std::min(a, b), std::max(a, b));
  };
  std::vector<std::size_t> starts(n + 1, 0);
  for (std::size_t slot = 0; slot < 3 * m; ++slot) ++starts[ends(slot).first + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  // By the lower end: the higher one and the slot.
  std::vector<std::pair<std::int32_t, std::uint32_t>> uses(3 * m);
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t slot = 0; slot < 3 * m; ++slot) {
    const auto [low, high] = ends(slot);
    uses[next[low]++] = {high, static_cast<std::uint32_t>(slot)};
  }
  std::vector<char> last(3 * m, 0);
  std::size_t size = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const auto begin = uses.begin() + starts[v], end = uses.begin() + starts[v + 1];
    std::sort(begin, end);
    for (auto use = begin; use != end; ++use) {
      if (use + 1 != end && use[1].first == use->first) continue;
      last[use->second] = 1;
      ++size;
    }
  }
  Edges found;
  found.edges.reserve(2 * size);
  found.face.reserve(size);
  for (std::size_t slot = 0; slot < 3 * m; ++slot) {
    if (!last[slot]) continue;
    const auto [low, high] = ends(slot);
    found.edges.insert(found.edges.end(), {low, high});
    found.face.push_back(static_cast<std::int32_t>(slot / 3));
  }
  return found;
}

}  // namespace impinge
