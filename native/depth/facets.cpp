#include "depth/facets.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "depth/faces_near.hpp"
#include "solids/overlap_corners.hpp"

namespace impinge::depth {
namespace {

constexpr double kRounded = 1.01;  // of sagittas that are those of another cut
constexpr double kAround = 2;      // in depths

double greatest_near(const solids::Solid& solid, const double* sagittas, const double* point,
                     double radius) {
  double greatest = 0;
  for_each_face_near(solid.tree().tree(), point, radius, [&](const Triangle& t, std::int32_t face) {
    if (sagittas[face] > greatest && point_distance(point, t).value <= radius) {
      greatest = sagittas[face];
    }
    return true;
  });
  return greatest;
}

// Each once.
std::vector<std::array<double, 3>> vertices_inside(const solids::Overlay& overlay, int surface) {
  std::vector<std::array<double, 3>> found;
  for_each_vertex_inside(overlay.part(surface), overlay.surface(surface), [&](const double* point) {
    found.push_back({point[0], point[1], point[2]});
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

bool is_within_facets(DistanceTo& a, DistanceTo& b, const Sagittas& sagittas, double limit,
                      double slack, const double* deepest, const solids::Overlay* overlay) {
  const auto is_within = [&](const double* point, double enough) {
    const double depth = std::max(a.find(point), b.find(point)), radius = kAround * depth;
    if (depth <= enough) return true;
    const double on_a = greatest_near(a.solid(), sagittas.a, point, radius);
    const double on_b = greatest_near(b.solid(), sagittas.b, point, radius);
    return depth <= limit + kRounded * (on_a + on_b);
  };
  if (!is_within(deepest, limit)) return false;
  if (!overlay) return true;
  // the other corners of the overlap are on both surfaces
  for (int i = 0; i < 2; ++i) {
    for (const auto& corner : vertices_inside(*overlay, i)) {
      if (!is_within(corner.data(), std::max(limit, slack))) return false;
    }
  }
  return true;
}

}  // namespace impinge::depth
