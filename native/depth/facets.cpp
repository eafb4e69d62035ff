#include "depth/facets.hpp"

#include <algorithm>

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
  bool all = is_within(deepest, limit);
  if (!all || !overlay) return all;
  for_each_corner(*overlay, [&](const double* point) {
    all = all && is_within(point, std::max(limit, slack));
  });
  return all;
}

}  // namespace impinge::depth
