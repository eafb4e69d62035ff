#include "solids/surroundings.hpp"

#include "solids/column.hpp"

namespace impinge::solids {

Surroundings::Surroundings(const bvh::Tree& tree, const SkewRay& ray) {
  const Point4 at = in_frame(tree.frame(), ray.from);
  const Box box = column_of({{at.x, at.y, at.z}, {at.x, at.y, at.z}}, Axes(ray.axis));
  for_each_leaf(tree.boxes(), box, [&](std::size_t leaf, const Node&) {
    const Corners8& corners = tree.corners(leaf);
    for_each_bit(triangles_meeting(tree, leaf, box), [&](int lane) {
      FaceAt at_point;
      const Passage passage =
          cross(ray, tree.vertex(corners.id[0][lane]), tree.vertex(corners.id[1][lane]),
                tree.vertex(corners.id[2][lane]), at_point);
      others += passage.sign;
      if (passage.on) faces.push_back(at_point);
    });
    return true;
  });
}

}  // namespace impinge::solids
