#include "mesh/closed.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "mesh/weld.hpp"

namespace impinge {
namespace {

// The directed edges of faces that have any, by their lower end.
class DirectedEdges {
 public:
  // corner(face, k) is the id of a corner, below n.
  template <class Corner>
  DirectedEdges(std::size_t n, std::size_t m, const Corner& corner) : starts_(n + 1, 0) {
    for_each(m, corner, [&](std::int32_t a, std::int32_t b) { ++starts_[std::min(a, b) + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    edges_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for_each(m, corner, [&](std::int32_t a, std::int32_t b) {
      edges_[next[std::min(a, b)]++] = 2 * static_cast<std::uint32_t>(std::max(a, b)) + (a < b);
    });
    for (std::size_t v = 0; v < n; ++v) {
      std::sort(edges_.begin() + starts_[v], edges_.begin() + starts_[v + 1]);
    }
  }

  bool empty() const { return edges_.empty(); }

  // How many edges are not used as `is_good(there, back)` wants, told how often they are.
  template <class IsGood>
  std::size_t count_bad(const IsGood& is_good) const {
    std::size_t bad = 0;
    for (std::size_t v = 0; v + 1 < starts_.size(); ++v) {
      for (std::size_t e = starts_[v]; e < starts_[v + 1];) {
        std::size_t uses[2] = {0, 0};
        const std::uint32_t end = edges_[e] / 2;
        for (; e < starts_[v + 1] && edges_[e] / 2 == end; ++e) ++uses[edges_[e] % 2];
        bad += !is_good(uses[0], uses[1]);
      }
    }
    return bad;
  }

 private:
  template <class Corner, class F>
  static void for_each(std::size_t m, const Corner& corner, F&& f) {
    for (std::size_t i = 0; i < m; ++i) {
      const std::int32_t v[3] = {corner(i, 0), corner(i, 1), corner(i, 2)};
      if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
      for (int k = 0; k < 3; ++k) f(v[k], v[(k + 1) % 3]);
    }
  }

  // The higher end, doubled, and the direction.
  std::vector<std::uint32_t> starts_, edges_;
};

}  // namespace

bool is_closed(const double* vertices, std::size_t n, const std::int32_t* faces, std::size_t m,
               int workers) {
  const std::vector<std::int32_t> first = weld(vertices, n, workers);
  const DirectedEdges edges(n, m, [&](std::size_t face, int k) {
    const std::int32_t v = faces[3 * face + k];
    return first.empty() ? v : first[v];
  });
  return !edges.empty() && edges.count_bad([](std::size_t there, std::size_t back) {
    return there == 1 && back == 1;
  }) == 0;
}

std::size_t count_open_edges(std::span<const Corners8> faces, std::size_t m, std::size_t n) {
  const DirectedEdges edges(
      n, m, [&](std::size_t face, int k) { return faces[face / kLanes].id[k][face % kLanes]; });
  return edges.count_bad([](std::size_t there, std::size_t back) { return there == back; });
}

}  // namespace impinge
