// The part of a cell that is left when what is known to be shallow is cut off.
#pragma once

#include <algorithm>

#include "depth/convex_bound.hpp"

namespace impinge::depth {

// A box within a cell, by shares of its sides; corner i of the cell is high along axis k if bit k
// of i is set.
struct CellPart {
  double lo[3] = {0, 0, 0}, hi[3] = {1, 1, 1};

  bool is_empty() const { return lo[0] >= hi[0] || lo[1] >= hi[1] || lo[2] >= hi[2]; }

  // Cuts off slabs in which a convex function is nowhere above the limit: along the four sides of a
  // slab it is at most what is between its ends.
  void cut(const CornerDistances& values, double limit) {
    for (int k = 0; k < 3; ++k) {
      double from_low = 1, from_high = 1;
      for (int i = 0; i < 8; ++i) {
        if (i >> k & 1) continue;
        const double low = values.value[i], high = values.value[i | 1 << k];
        from_low = std::min(from_low, share_below(low, high, limit));
        from_high = std::min(from_high, share_below(high, low, limit));
      }
      lo[k] = std::max(lo[k], from_low);
      hi[k] = std::min(hi[k], 1 - from_high);
    }
  }

  void unite(const CellPart& other) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], other.lo[k]);
      hi[k] = std::max(hi[k], other.hi[k]);
    }
  }

 private:
  static double share_below(double from, double to, double limit) {
    constexpr double kSafely = 1 - 1e-9;  // much more than rounding
    if (from > limit) return 0;
    return to > limit ? kSafely * (limit - from) / (to - from) : 1;
  }
};

}  // namespace impinge::depth
