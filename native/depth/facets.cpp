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
  for_each_face_near(solid.tree().tree(), point, radius, [&](const Triangle&, std::int32_t face) {
    greatest = std::max(greatest, sagittas[face]);
    return true;
  });
  return greatest;
}

}  // namespace

bool is_within_facets(DistanceTo& a, DistanceTo& b, const Sagittas& sagittas, double limit,
                      const double* deepest, const solids::Overlay* overlay) {
  const auto is_within = [&](const double* point) {
    const double depth = std::max(a.find(point), b.find(point)), radius = kAround * depth;
    if (depth <= limit) return true;
    const double on_a = greatest_near(a.solid(), sagittas.a, point, radius);
    const double on_b = greatest_near(b.solid(), sagittas.b, point, radius);
    return depth <= limit + kRounded * (on_a + on_b);
  };
  bool all = is_within(deepest);
  if (!all || !overlay) return all;
  for_each_corner(*overlay, [&](const double* point) { all = all && is_within(point); });
  return all;
}

}  // namespace impinge::depth
