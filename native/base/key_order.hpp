// Items by keys of 32 bits, on all cores; for orders in which only nearness matters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/buffer.hpp"
#include "base/pool.hpp"

namespace impinge {

constexpr int kKeyDigit = 8, kKeyDigits = 4;  // bits, and how many of them

namespace detail {

constexpr std::uint32_t kKeyBuckets = 1u << kKeyDigit;
using KeyCounts = std::array<std::uint32_t, kKeyBuckets>;

template <class Keyed>
std::uint32_t key_digit(const Keyed& item, int d) {
  return item.key >> (d * kKeyDigit) & (kKeyBuckets - 1);
}

inline void make_starts(KeyCounts& counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) sum += std::exchange(count, sum);
}

constexpr std::size_t kFewKeys = 64;  // are sorted by comparing

template <class Keyed>
void sort_few(Keyed* items, std::size_t n) {
  std::sort(items, items + n, [](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.id < b.id;
  });
}

// Items with one first digit, by the others.
template <class Keyed>
void sort_bucket(Keyed* items, Keyed* spare, std::size_t n) {
  // With fewer items for each value of a digit they are too far apart for the next one to matter.
  constexpr std::size_t kSparse = 8;
  if (n < kFewKeys) return sort_few(items, n);
  Keyed* const sorted = items;
  int d = kKeyDigits - 2;
  for (std::size_t each = n / kKeyBuckets; d > 0 && each >= kSparse; each /= kKeyBuckets) --d;
  for (; d < kKeyDigits - 1; ++d) {
    KeyCounts starts{};
    for (std::size_t i = 0; i < n; ++i) ++starts[key_digit(items[i], d)];
    make_starts(starts);
    for (std::size_t i = 0; i < n; ++i) spare[starts[key_digit(items[i], d)]++] = items[i];
    std::swap(items, spare);
  }
  if (items != sorted) std::copy_n(items, n, sorted);
}

}  // namespace detail

// `Keyed` has a `key` and an `id`; make(begin, end, items) sets those of items[begin .. end). The
// first digit of 8 bits is always in order, the others as far as so many items need it; equal ones
// are in the order of their ids. Does not depend on the number of workers.
template <class Keyed, class Make>
Buffer<Keyed> order_by_key(std::size_t count, int workers, const Make& make) {
  using namespace detail;
  // A few large grains, since those side by side write into the same lines.
  constexpr std::size_t kLeastGrain = 2048, kGrainsEach = 2;
  constexpr int kFirst = kKeyDigits - 1;
  Buffer<Keyed> keyed, sorted;
  keyed.resize(count);
  if (count < kFewKeys) {
    make(std::size_t{0}, count, keyed.data());
    sort_few(keyed.data(), count);
    return keyed;
  }
  sorted.resize(count);
  const std::size_t shares = kGrainsEach * static_cast<std::size_t>(workers);
  const std::size_t grain = std::max(kLeastGrain, (count + shares - 1) / shares);
  const std::size_t grains = (count + grain - 1) / grain;
  Buffer<KeyCounts> starts;
  starts.resize(grains);
  const auto each_grain = [&](auto f) {
    parallel_for(workers, grains, 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) f(b * grain, std::min(count, (b + 1) * grain), starts[b]);
    });
  };
  each_grain([&](std::size_t begin, std::size_t end, KeyCounts& counts) {
    counts = {};
    make(begin, end, keyed.data());
    for (std::size_t i = begin; i < end; ++i) ++counts[key_digit(keyed[i], kFirst)];
  });
  KeyCounts first{};
  for (const KeyCounts& counts : starts) {
    for (std::uint32_t b = 0; b < kKeyBuckets; ++b) first[b] += counts[b];
  }
  make_starts(first);
  KeyCounts next = first;
  for (KeyCounts& counts : starts) {
    for (std::uint32_t b = 0; b < kKeyBuckets; ++b) next[b] += std::exchange(counts[b], next[b]);
  }
  each_grain([&](std::size_t begin, std::size_t end, KeyCounts& places) {
    for (std::size_t i = begin; i < end; ++i) {
      sorted[places[key_digit(keyed[i], kFirst)]++] = keyed[i];
    }
  });
  parallel_for(workers, kKeyBuckets, 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      const std::size_t n = next[b] - first[b];
      if (n) sort_bucket(sorted.data() + first[b], keyed.data() + first[b], n);
    }
  });
  return sorted;
}

}  // namespace impinge
