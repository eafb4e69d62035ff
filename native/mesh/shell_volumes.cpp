#include "mesh/shell_volumes.hpp"

#include <algorithm>

#include "geometry/vec.hpp"

namespace impinge {

std::vector<double> shell_volumes(const double* vertices, const std::int32_t* faces, std::size_t m,
                                  const std::int32_t* owner, std::size_t count) {
  std::vector<double> volumes(count, 0.0);
  if (m == 0) return volumes;
  const auto at = [&](std::size_t corner) { return vertices + 3 * std::size_t(faces[corner]); };
  double lo[3], hi[3];
  std::copy_n(at(0), 3, lo);
  std::copy_n(at(0), 3, hi);
  for (std::size_t i = 1; i < 3 * m; ++i) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], at(i)[k]);
      hi[k] = std::max(hi[k], at(i)[k]);
    }
  }
  const double size = std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]});
  if (!(size > 0)) return volumes;
  // from a vertex of its own, so that what is far from the others is as precise
  std::vector<const double*> origin(count, nullptr);
  const auto from = [&](const double* o, const double* p) {
    return Vector{(p[0] - o[0]) / size, (p[1] - o[1]) / size, (p[2] - o[2]) / size};
  };
  for (std::size_t f = 0; f < m; ++f) {
    if (owner[f] < 0) continue;
    const auto shell = static_cast<std::size_t>(owner[f]);
    if (!origin[shell]) origin[shell] = at(3 * f);
    const double* o = origin[shell];
    volumes[shell] +=
        dot(from(o, at(3 * f)), cross(from(o, at(3 * f + 1)), from(o, at(3 * f + 2)))) / 6;
  }
  return volumes;
}

}  // namespace impinge
