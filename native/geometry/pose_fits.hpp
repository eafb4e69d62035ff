// Whether exact tests can take what a pose makes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace impinge {

// Finite, affine, and no coordinate of size `reach` is moved beyond `limit`; (4, 4) row by row.
inline bool pose_fits(const double* m, double reach, double limit) {
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1) return false;
  limit = std::min(limit, std::numeric_limits<double>::max());
  for (const double* row = m; row < m + 12; row += 4) {
    // NaN when an entry is, or is infinite where the reach is 0
    const double size = (std::fabs(row[0]) + std::fabs(row[1]) + std::fabs(row[2])) * reach;
    if (!(size + std::fabs(row[3]) <= limit)) return false;
  }
  return true;
}

}  // namespace impinge
