// Fragments of one band of the image, brought together by pixel: count, scan, scatter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/buffer.hpp"

namespace impinge {

// Belongs to one thread and keeps its memory from band to band.
template <class Fragment>
class Layers {
 public:
  void begin(std::size_t pixels) {
    counts_.assign(pixels, 0);
    places_.clear();
    loose_.clear();
  }

  void add(std::uint32_t pixel, const Fragment& fragment) {
    ++counts_[pixel];
    places_.push(pixel);
    loose_.push(fragment);
  }

  std::size_t size() const { return loose_.size(); }
  std::uint32_t count(std::uint32_t pixel) const { return counts_[pixel]; }

  // Calls f(pixel, fragments) for every pixel for which `wanted(pixel)` holds and that has any.
  // Fragments come in the order they were added; f may sort them.
  template <class Wanted, class F>
  void for_each_pixel(const Wanted& wanted, F&& f) {
    starts_.resize(counts_.size());
    std::uint32_t sum = 0;
    for (std::size_t p = 0; p < counts_.size(); ++p) {
      const bool keep = counts_[p] > 0 && wanted(static_cast<std::uint32_t>(p));
      starts_[p] = keep ? sum : kUnwanted;
      if (keep) sum += counts_[p];
    }
    sorted_.resize(sum);
    next_.assign(starts_.begin(), starts_.end());
    for (std::size_t i = 0; i < loose_.size(); ++i) {
      std::uint32_t& at = next_[places_[i]];
      if (at != kUnwanted) sorted_[at++] = loose_[i];
    }
    for (std::size_t p = 0; p < counts_.size(); ++p) {
      if (starts_[p] == kUnwanted) continue;
      f(static_cast<std::uint32_t>(p), std::span(sorted_.data() + starts_[p], counts_[p]));
    }
  }

 private:
  static constexpr std::uint32_t kUnwanted = ~0u;

  std::vector<std::uint32_t> counts_, starts_, next_;
  Buffer<std::uint32_t> places_;
  Buffer<Fragment> loose_, sorted_;
};

}  // namespace impinge
