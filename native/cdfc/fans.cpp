#include "cdfc/fans.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/vec.hpp"
#include "geometry/weld.hpp"

namespace impinge::cdfc {

Fans::Fans(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
           std::size_t face_count, int workers)
    : vertex_count_(vertex_count),
      merged_(merged(vertices, vertex_count, workers)),
      corners_(welded(faces, face_count, vertex_count, merged_)),
      stars_(corners_.data(), face_count, vertex_count) {}

std::vector<Fans::Merged> Fans::merged(const double* vertices, std::size_t n, int workers) {
  std::vector<Merged> found;
  const std::vector<std::int32_t> first = weld(vertices, n, workers);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto vertex = static_cast<std::int32_t>(i);
    if (first[i] != vertex) found.push_back({vertex, first[i]});
  }
  return found;
}

std::vector<std::int32_t> Fans::welded(const std::int32_t* faces, std::size_t face_count,
                                       std::size_t vertex_count,
                                       const std::vector<Merged>& merged) {
  std::vector<std::int32_t> corners(faces, faces + 3 * face_count);
  if (merged.empty()) return corners;
  std::vector<std::int32_t> first(vertex_count);
  std::iota(first.begin(), first.end(), 0);
  for (const Merged& m : merged) first[m.vertex] = m.into;
  for (std::int32_t& corner : corners) corner = first[corner];
  return corners;
}

bool Fans::holds(const double* vertices) const {
  return std::all_of(merged_.begin(), merged_.end(), [vertices](const Merged& m) {
    return same_point(vertices + 3 * std::size_t(m.vertex), vertices + 3 * std::size_t(m.into));
  });
}

}  // namespace impinge::cdfc
