#include "solids/side.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "geometry/skew_ray.hpp"
#include "solids/sectors.hpp"
#include "solids/surroundings.hpp"

namespace impinge::solids {
namespace {

bool is_outside(const Bounds& bounds, const double* p) {
  for (int k = 0; k < 3; ++k) {
    if (p[k] < bounds.lo[k] || p[k] > bounds.hi[k]) return true;
  }
  return false;
}

// Calls visit(winding) for all sectors around a point until it answers false.
void for_each_winding(const bvh::Tree& tree, const double* point, int axis,
                      const std::function<bool(int)>& visit) {
  if (tree.empty() || is_outside(tree.bounds(), point)) {
    visit(0);
    return;
  }
  const SkewRay ray{point, axis};
  const Surroundings around(tree, ray);
  if (around.faces.empty()) {
    visit(around.others);
  } else {
    for_each_sector(ray, around.faces, around.others, visit);
  }
}

}  // namespace

Side side_of(const bvh::Tree& tree, const double* point, Sense sense, int axis) {
  bool some = false, all = true;
  for_each_winding(tree, point, axis, [&](int winding) {
    const bool solid = is_solid(winding, sense);
    some = some || solid;
    all = all && solid;
    return all == some;
  });
  return all ? Side::inside : some ? Side::on : Side::outside;
}

WindingRange winding_range(const bvh::Tree& tree, const double* point, int axis) {
  WindingRange range{std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
  for_each_winding(tree, point, axis, [&](int winding) {
    range.least = std::min(range.least, winding);
    range.most = std::max(range.most, winding);
    return true;
  });
  return range;
}

}  // namespace impinge::solids
