#include "solids/side.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "bvh/tree/leaf.hpp"
#include "geometry/skew_ray.hpp"
#include "solids/column.hpp"
#include "solids/face_at.hpp"
#include "solids/sectors.hpp"

namespace impinge::solids {
namespace {

bool is_outside(const Bounds& bounds, const double* p) {
  for (int k = 0; k < 3; ++k) {
    if (p[k] < bounds.lo[k] || p[k] > bounds.hi[k]) return true;
  }
  return false;
}

// The faces with a point on them, and the sum of the crossings of a ray with all others.
struct Surroundings {
  std::vector<FaceAt> faces;
  int others = 0;

  Surroundings(const bvh::Tree& tree, const SkewRay& ray) {
    const Axes axes(ray.axis);
    const Point4 at = in_frame(tree.frame(), ray.from);
    const float p[3] = {at.x, at.y, at.z};
    const float y = p[axes.across[0]], z = p[axes.across[1]];
    const Column column{{y, z}, {y, z}, p[axes.along]};
    for_each_leaf(tree.boxes(), axes, column, [&](std::size_t leaf) {
      const unsigned met =
          column.met(axes, bvh::triangle_boxes(tree.leaf(leaf))) & tree.lanes(leaf);
      for_each_bit(met, [&](int lane) { add(tree, ray, leaf, lane); });
    });
  }

 private:
  void add(const bvh::Tree& tree, const SkewRay& ray, std::size_t leaf, int lane) {
    const Corners8& corners = tree.corners(leaf);
    FaceAt at;
    const Passage passage =
        cross(ray, tree.vertex(corners.id[0][lane]), tree.vertex(corners.id[1][lane]),
              tree.vertex(corners.id[2][lane]), at);
    others += passage.sign;
    if (passage.on) faces.push_back(at);
  }
};

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
