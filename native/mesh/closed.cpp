#include "mesh/closed.hpp"

#include <algorithm>
#include <vector>

#include "mesh/weld.hpp"

namespace impinge {
namespace {

template <class F>
void for_each_edge(const std::vector<std::int32_t>& first, const std::int32_t* faces, std::size_t m,
                   F&& f) {
  for (std::size_t i = 0; i < m; ++i) {
    std::int32_t v[3];
    for (int k = 0; k < 3; ++k) v[k] = first.empty() ? faces[3 * i + k] : first[faces[3 * i + k]];
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    for (int k = 0; k < 3; ++k) f(v[k], v[(k + 1) % 3]);
  }
}

}  // namespace

bool is_closed(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers) {
  const std::vector<std::int32_t> first = weld(vertices, n, workers);
  // Edges by their lower end: the higher one, doubled, and the direction.
  std::vector<std::uint32_t> starts(n + 1, 0);
  for_each_edge(first, faces, m,
                [&](std::int32_t a, std::int32_t b) { ++starts[std::min(a, b) + 1]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  if (starts.back() == 0) return false;
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1), edges(starts.back());
  for_each_edge(first, faces, m, [&](std::int32_t a, std::int32_t b) {
    edges[next[std::min(a, b)]++] = 2 * static_cast<std::uint32_t>(std::max(a, b)) + (a < b);
  });
  for (std::size_t v = 0; v < n; ++v) {
    const auto begin = edges.begin() + starts[v], end = edges.begin() + starts[v + 1];
    if ((end - begin) % 2 != 0) return false;
    std::sort(begin, end);
    // The two directions of an edge follow each other, and the next edge is another one.
    for (auto e = begin; e != end; e += 2) {
      if (e[0] % 2 != 0 || e[1] != e[0] + 1) return false;
      if (e + 2 != end && e[2] / 2 == e[0] / 2) return false;
    }
  }
  return true;
}

}  // namespace impinge
