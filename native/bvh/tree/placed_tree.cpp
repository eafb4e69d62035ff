#include "bvh/tree/placed_tree.hpp"

namespace impinge::bvh {
namespace {

Triangle in_world(const PlacedTree& placed, const std::int32_t (&corners)[3]) {
  Triangle t;
  for (int c = 0; c < 3; ++c) place_point(placed.pose, placed.tree->vertex(corners[c]), t.v[c]);
  return t;
}

}  // namespace

Triangle PlacedTree::triangle(std::size_t slot) const {
  const auto& id = tree->corners(slot / kLanes).id;
  const std::size_t lane = slot % kLanes;
  return in_world(*this, {id[0][lane], id[1][lane], id[2][lane]});
}

Triangle PlacedTree::triangle_of_face(std::int32_t face) const {
  const std::int32_t* id = tree->face(static_cast<std::size_t>(face));
  return in_world(*this, {id[0], id[1], id[2]});
}

}  // namespace impinge::bvh
