// An order of points in which neighbours are near each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/buffer.hpp"
#include "base/key_order.hpp"
#include "geometry/frame.hpp"

namespace impinge::solids {

struct KeyedPoint {
  std::uint32_t key;
  std::int32_t id;
};

// Cells along `kAxes` axes, the bits of which take turns: keys below 2^30.
template <int kAxes>
class CellKeys {
 public:
  static constexpr int kBits = 30 / kAxes;

  CellKeys(const Frame& frame, const int (&axes)[kAxes]) : frame_(frame) {
    for (int k = 0; k < kAxes; ++k) axes_[k] = axes[k];
  }

  std::uint32_t operator()(const double* p) const {
    constexpr double kHalf = 1 << (kBits - 1), kLast = 2 * kHalf - 1;
    std::uint32_t key = 0;
    for (int k = 0; k < kAxes; ++k) {
      const int axis = axes_[k];
      const double at = (p[axis] - frame_.centre[axis]) * frame_.scale * kHalf + kHalf;
      const double inside = at < kLast ? at : kLast;
      key |= spread(static_cast<std::uint32_t>(inside > 0 ? inside : 0)) << k;
    }
    return key;
  }

 private:
  static constexpr auto kSpread = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t x = 0; x < table.size(); ++x) {
      for (int bit = 0; bit < 8; ++bit) table[x] |= (x >> bit & 1) << (kAxes * bit);
    }
    return table;
  }();
  static std::uint32_t spread(std::uint32_t x) {
    return kSpread[x & 255] | kSpread[x >> 8] << (8 * kAxes % 32);
  }

  Frame frame_;
  int axes_[kAxes];
};

constexpr double kLargestCoordinate = 1e100;

// Throws std::invalid_argument for a coordinate that is not finite or too large.
inline void check_point(const double* p) {
  bool good = true;
  for (int k = 0; k < 3; ++k)
    good = good & (p[k] <= kLargestCoordinate) & (p[k] >= -kLargestCoordinate);
  if (!good) throw std::invalid_argument("points must be finite and at most 1e100");
}

}  // namespace impinge::solids
