// The edges of faces by who uses them, and in which direction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace impinge {

class DirectedEdges {
 public:
  struct Use {
    std::uint32_t key;  // the higher end, doubled, and the direction
    std::int32_t face;

    bool upward() const { return key % 2 != 0; }
  };

  // Of m faces; corner(face, k) is the id of a corner, below n. Faces with two equal corners have
  // no edges. Linear time for meshes with few faces around each vertex.
  template <class Corner>
  DirectedEdges(std::size_t n, std::size_t m, const Corner& corner) : starts_(n + 1, 0) {
    for_each(m, corner, [&](std::int32_t a, std::int32_t b, std::int32_t) {
      ++starts_[static_cast<std::size_t>(std::min(a, b)) + 1];
    });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    uses_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for_each(m, corner, [&](std::int32_t a, std::int32_t b, std::int32_t face) {
      const std::uint32_t key = 2 * static_cast<std::uint32_t>(std::max(a, b)) + (a < b);
      uses_[next[std::min(a, b)]++] = {key, face};
    });
    for (std::size_t v = 0; v < n; ++v) {
      std::sort(uses_.begin() + starts_[v], uses_.begin() + starts_[v + 1],
                [](const Use& p, const Use& q) { return p.key < q.key; });
    }
  }

  bool empty() const { return uses_.empty(); }

  // Calls f(lower, uses) for each edge with its lower end, uses in one direction first.
  template <class F>
  void for_each_edge(const F& f) const {
    for (std::size_t v = 0; v + 1 < starts_.size(); ++v) {
      for (std::size_t begin = starts_[v]; begin < starts_[v + 1];) {
        std::size_t end = begin;
        while (end < starts_[v + 1] && uses_[end].key / 2 == uses_[begin].key / 2) ++end;
        f(static_cast<std::int32_t>(v), std::span<const Use>(uses_.data() + begin, end - begin));
        begin = end;
      }
    }
  }

 private:
  template <class Corner, class F>
  static void for_each(std::size_t m, const Corner& corner, const F& f) {
    for (std::size_t i = 0; i < m; ++i) {
      const std::int32_t v[3] = {corner(i, 0), corner(i, 1), corner(i, 2)};
      if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
      for (int k = 0; k < 3; ++k) f(v[k], v[(k + 1) % 3], static_cast<std::int32_t>(i));
    }
  }

  std::vector<std::uint32_t> starts_;  // by the lower end
  std::vector<Use> uses_;
};

}  // namespace impinge
