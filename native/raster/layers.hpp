// Fragments of one band of the image, brought together by pixel: count, scan, scatter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"

namespace impinge::raster {

// Belongs to one thread and keeps its memory from band to band.
template <class Fragment>
class Layers {
 public:
  void begin(std::size_t pixels) {
    counts_.assign(pixels, 0);
    loose_.clear();
  }

  // Adds make(i) to pixel `first` + i for all i below n.
  template <class Make>
  void add_span(std::uint32_t first, std::uint32_t n, const Make& make) {
    Loose* to = loose_.grow(n);
    for (std::uint32_t i = 0; i < n; ++i) to[i] = {make(i), first + i};
    for (std::uint32_t i = 0; i < n; ++i) ++counts_[first + i];
    loose_.advance(n);
  }

  std::size_t size() const { return loose_.size(); }
  std::uint32_t count(std::uint32_t pixel) const { return counts_[pixel]; }

  // Calls f(pixel, fragments) for every pixel for which `wanted(pixel)` holds and that has any.
  // Fragments come in the order they were added; f may sort them.
  template <class Wanted, class F>
  void for_each_pixel(const Wanted& wanted, F&& f) {
    next_.resize(counts_.size());
    std::uint32_t sum = 0;
    for (std::uint32_t p = 0; p < counts_.size(); ++p) {
      const bool keep = counts_[p] > 0 && wanted(p);
      next_[p] = keep ? sum : kUnwanted;
      if (keep) sum += counts_[p];
    }
    sorted_.resize(sum);
    for (const Loose& loose : loose_) {
      std::uint32_t& at = next_[loose.pixel];
      if (at != kUnwanted) sorted_[at++] = loose.fragment;
    }
    // Every pixel has moved on to the start of the next one.
    for (std::uint32_t p = 0; p < counts_.size(); ++p) {
      if (next_[p] == kUnwanted) continue;
      f(p, std::span(sorted_.data() + (next_[p] - counts_[p]), counts_[p]));
    }
  }

 private:
  static constexpr std::uint32_t kUnwanted = ~0u;

  struct Loose {
    Fragment fragment;
    std::uint32_t pixel;
  };

  std::vector<std::uint32_t> counts_, next_;
  Buffer<Loose> loose_;
  Buffer<Fragment> sorted_;
};

// Mostly there are only a few.
template <class T, class Before>
void sort_few(std::span<T> items, const Before& before) {
  constexpr std::size_t kFew = 24;
  if (items.size() > kFew) {
    std::sort(items.begin(), items.end(), before);
    return;
  }
  for (std::size_t i = 1; i < items.size(); ++i) {
    const T item = items[i];
    std::size_t at = i;
    for (; at > 0 && before(item, items[at - 1]); --at) items[at] = items[at - 1];
    items[at] = item;
  }
}

}  // namespace impinge::raster
