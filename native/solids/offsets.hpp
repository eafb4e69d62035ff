// Numbers of which differences are known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace impinge::solids {

// A forest of things with their differences to the thing above.
class Offsets {
 public:
  explicit Offsets(std::size_t n) : above_(n), offset_(n, 0) {
    std::iota(above_.begin(), above_.end(), 0u);
  }

  // The number of b is that of a and `rise`.
  void join(std::uint32_t a, std::uint32_t b, int rise) {
    const auto [top_a, from_a] = top(a);
    const auto [top_b, from_b] = top(b);
    if (top_a == top_b) return;
    above_[top_b] = top_a;
    offset_[top_b] = from_a + rise - from_b;
  }

  // All of them, the lowest of each group being 0; where all are equal, number(i) tells.
  template <class Number>
  std::vector<int> numbers(const Number& number) {
    const std::size_t n = above_.size();
    std::vector<int> value(n), lowest(n, 0), highest(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto [root, offset] = top(i);
      value[i] = offset;
      lowest[root] = std::min(lowest[root], offset);
      highest[root] = std::max(highest[root], offset);
    }
    std::vector<int> base(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (above_[i] != i) continue;
      base[i] = lowest[i] == highest[i] ? number(i) : -lowest[i];
    }
    for (std::uint32_t i = 0; i < n; ++i) value[i] += base[top(i).first];
    return value;
  }

 private:
  // The topmost thing above i, and the difference to it.
  std::pair<std::uint32_t, int> top(std::uint32_t i) {
    int offset = 0;
    std::uint32_t root = i;
    for (; above_[root] != root; root = above_[root]) offset += offset_[root];
    // the way is short next time
    for (int left = offset; above_[i] != i;) {
      const std::uint32_t next = above_[i];
      const int own = offset_[i];
      above_[i] = root;
      offset_[i] = left;
      left -= own;
      i = next;
    }
    return {root, offset};
  }

  std::vector<std::uint32_t> above_;
  std::vector<int> offset_;
};

}  // namespace impinge::solids
