// Intervals along one axis: sorted by their starts, overlaps counted, then written.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge::cdfc {

// Unsigned numbers in the order of floats: all bits of negatives flipped, the sign bit of others.
inline std::uint32_t sortable(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x + 0.0f);  // -0 is 0
  return bits ^ (bits >> 31 ? ~0u : 1u << 31);
}

// Positions of the keys in ascending order, equal ones in their order: a radix sort.
class RadixSort {
 public:
  // start(i) is key i.
  template <class Start>
  const std::uint64_t* sort(std::size_t n, const Start& start) {
    keys_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys_[i] = static_cast<std::uint64_t>(sortable(start(i))) << 32 | i;
    }
    sort();
    return keys_.data();
  }
  static std::uint32_t position(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

 private:
  void sort();

  std::vector<std::uint64_t> keys_, spare_;
};

// Of sorted closed intervals i and j > i overlap when start_j <= end_i: count[i] is the number of
// such j, offset[i] the sum of the counts before i. `offset` has n + 1 entries.
void count_overlaps(const float* start, const float* end, std::size_t n, std::uint32_t* count,
                    std::uint64_t* offset);

}  // namespace impinge::cdfc
