// Sorting keys: the order of results must not depend on threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace impinge {

// Least significant digit first, only over the bits that are used. Below a few hundred keys the
// library's sort is faster.
inline void sort_keys(std::uint64_t* keys, std::size_t n, std::vector<std::uint64_t>& scratch) {
  if (n < 512) {
    std::sort(keys, keys + n);
    return;
  }
  constexpr int kDigit = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  std::uint64_t varying = 0;
  for (std::size_t i = 1; i < n; ++i) varying |= keys[i] ^ keys[0];
  scratch.resize(n);
  std::uint64_t* from = keys;
  std::uint64_t* to = scratch.data();
  for (int shift = 0; shift < 64; shift += kDigit) {
    if (((varying >> shift) & (kBuckets - 1)) == 0) continue;
    std::array<std::uint32_t, kBuckets> start{};
    for (std::size_t i = 0; i < n; ++i) ++start[(from[i] >> shift) & (kBuckets - 1)];
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) {
      const std::uint32_t count = s;
      s = sum;
      sum += count;
    }
    for (std::size_t i = 0; i < n; ++i) to[start[(from[i] >> shift) & (kBuckets - 1)]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::copy_n(from, n, keys);
}

}  // namespace impinge
