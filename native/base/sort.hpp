// Sorting keys: the order of results must not depend on threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace impinge {

namespace detail {

// Stable, by the digits of kDigit bits from `first_bit` on in which keys differ at all.
template <int kDigit>
void sort_by_digits(std::uint64_t* keys, std::size_t n, std::uint64_t* scratch, int first_bit) {
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  std::uint64_t varying = 0;
  for (std::size_t i = 1; i < n; ++i) varying |= keys[i] ^ keys[0];
  std::uint64_t* from = keys;
  std::uint64_t* to = scratch;
  for (int shift = first_bit; shift < 64; shift += kDigit) {
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

inline void insertion_sort(std::uint64_t* keys, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const std::uint64_t key = keys[i];
    std::size_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

}  // namespace detail

// Digit by digit over the bits from `first_bit` on; few keys agree in all of those, and what is
// left of the order is made within each run. `scratch` is a vector or a buffer.
template <class Scratch>
void sort_keys(std::uint64_t* keys, std::size_t n, int first_bit, Scratch& scratch) {
  constexpr std::size_t kFew = 32;
  if (n <= kFew) {
    detail::insertion_sort(keys, n);
    return;
  }
  scratch.resize(n);
  if (n < 4096) {
    detail::sort_by_digits<9>(keys, n, scratch.data(), first_bit);
  } else {
    detail::sort_by_digits<11>(keys, n, scratch.data(), first_bit);
  }
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && keys[end] >> first_bit == keys[begin] >> first_bit) ++end;
    if (end - begin <= kFew) {
      detail::insertion_sort(keys + begin, end - begin);
    } else if (!std::is_sorted(keys + begin, keys + end)) {
      std::sort(keys + begin, keys + end);
    }
    begin = end;
  }
}

}  // namespace impinge
