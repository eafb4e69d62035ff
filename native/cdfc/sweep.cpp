#include "cdfc/sweep.hpp"

#include <algorithm>

#include "base/sort.hpp"

namespace impinge::cdfc {
namespace {

// Upper bounds in a sorted array, found by a table over equal steps instead of a search.
class Ranks {
 public:
  Ranks(const float* sorted, std::size_t n)
      : sorted_(sorted), low_(sorted[0]), cells_(n), first_(n + 2) {
    const float width = sorted[n - 1] - sorted[0];
    scale_ = width > 0 ? static_cast<float>(n) / width : 0.0f;
    std::size_t cell = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (const std::size_t own = cell_of(sorted[i]); cell <= own; ++cell) {
        first_[cell] = static_cast<std::uint32_t>(i);
      }
    }
    for (; cell < first_.size(); ++cell) first_[cell] = static_cast<std::uint32_t>(n);
  }

  // How many are at most x, for x not below the first. The cell grows with x, so that all in lower
  // cells are below x and all in higher ones above.
  std::size_t upper_bound(float x) const {
    const std::size_t cell = cell_of(x);
    std::size_t at = first_[cell];
    const std::size_t last = first_[cell + 1];
    constexpr std::size_t kFew = 8;
    if (last - at > kFew) return std::upper_bound(sorted_ + at, sorted_ + last, x) - sorted_;
    while (at < last && sorted_[at] <= x) ++at;
    return at;
  }

 private:
  std::size_t cell_of(float x) const {
    const float steps = (x - low_) * scale_;
    return steps < static_cast<float>(cells_) ? static_cast<std::size_t>(steps) : cells_;
  }

  const float* sorted_;
  float low_, scale_;
  std::size_t cells_;
  std::vector<std::uint32_t> first_;
};

}  // namespace

void RadixSort::sort() { sort_keys(keys_.data(), keys_.size(), 32, spare_); }

void count_overlaps(const float* start, const float* end, std::size_t n, std::uint32_t* count,
                    std::uint64_t* offset) {
  offset[0] = 0;
  if (n == 0) return;
  const Ranks ranks(start, n);
  for (std::size_t i = 0; i < n; ++i) {
    // Equal starts are counted where they come first.
    count[i] = static_cast<std::uint32_t>(ranks.upper_bound(end[i]) - i - 1);
    offset[i + 1] = offset[i] + count[i];
  }
}

}  // namespace impinge::cdfc
