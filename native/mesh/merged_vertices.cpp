#include "mesh/merged_vertices.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/vec.hpp"
#include "mesh/weld.hpp"

namespace impinge {

MergedVertices::MergedVertices(const double* vertices, std::size_t n, int workers) {
  const std::vector<std::int32_t> first = weld(vertices, n, workers);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto vertex = static_cast<std::int32_t>(i);
    if (first[i] != vertex) merged_.push_back({vertex, first[i]});
  }
}

bool MergedVertices::holds(const double* vertices) const {
  return std::all_of(merged_.begin(), merged_.end(), [vertices](const Merged& m) {
    return same_point(vertices + 3 * std::size_t(m.vertex), vertices + 3 * std::size_t(m.into));
  });
}

std::vector<std::int32_t> MergedVertices::ids(std::size_t n) const {
  std::vector<std::int32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0);
  for (const Merged& m : merged_) ids[m.vertex] = m.into;
  return ids;
}

std::vector<std::int32_t> MergedVertices::corners(const std::int32_t* faces, std::size_t m,
                                                  std::size_t n) const {
  std::vector<std::int32_t> corners(faces, faces + 3 * m);
  if (empty()) return corners;
  const std::vector<std::int32_t> id = ids(n);
  for (std::int32_t& corner : corners) corner = id[corner];
  return corners;
}

}  // namespace impinge
