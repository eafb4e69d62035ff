// Where a triangle belongs in an octree: its level, and the cells of its box there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "geometry/crossing.hpp"
#include "octree/octree.hpp"

namespace impinge::octree {

struct OctreeRange {
  int level;
  std::int32_t lo[3], hi[3];  // hi - lo is 0 or 1
};

class Placing {
 public:
  Placing(const double* vertices, const std::int32_t* faces, const double* low, double side)
      : vertices_(vertices), faces_(faces), low_(low), scale_(1 / side) {}

  OctreeRange operator()(std::size_t face) const {
    const std::int32_t* corner = faces_ + 3 * face;
    const double *a = at(corner[0]), *b = at(corner[1]), *c = at(corner[2]);
    double lo[3], hi[3], size = 0;
    for (int k = 0; k < 3; ++k) {
      lo[k] = (std::min({a[k], b[k], c[k]}) - low_[k]) * scale_;
      hi[k] = (std::max({a[k], b[k], c[k]}) - low_[k]) * scale_;
      size = std::max(size, hi[k] - lo[k]);
    }
    // Wider than where hits are accepted, so that cells found with rounding still hold them.
    const double pad = 2 * (kBoxTolerance * size + kBodyTolerance);
    double widest = 0;
    for (int k = 0; k < 3; ++k) {
      lo[k] -= pad;
      hi[k] += pad;
      widest = std::max(widest, hi[k] - lo[k]);
    }
    // The cells of this level have a side of 2^-level: more than the box, whose sides then meet at
    // most two of them. A difference below a power of two is not rounded up to it from above.
    int exponent = 0;
    std::frexp(widest, &exponent);
    OctreeRange range;
    range.level = std::clamp(-exponent, 0, Octree::kDeepest);
    const double cells = static_cast<double>(1 << range.level);
    for (int k = 0; k < 3; ++k) {
      range.lo[k] = static_cast<std::int32_t>(lo[k] * cells);
      range.hi[k] = static_cast<std::int32_t>(hi[k] * cells);
    }
    return range;
  }

 private:
  const double* at(std::int32_t vertex) const { return vertices_ + 3 * std::size_t(vertex); }

  const double* vertices_;
  const std::int32_t* faces_;
  const double* low_;
  double scale_;
};

}  // namespace impinge::octree
