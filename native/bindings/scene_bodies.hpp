// The bodies of a scene as trees in their places.
#pragma once

#include <vector>

#include "bindings/bound_tree.hpp"
#include "bindings/pairs.hpp"

namespace impinge {

inline SceneBodies<bvh::Body> scene_bodies(const std::vector<const BoundTree*>& trees,
                                           const Placements& placements) {
  check_all(trees);
  return {trees.size(), placements,
          [&](std::size_t i, const Pose& pose) { return bvh::Body(trees[i]->prepared(), pose); }};
}

}  // namespace impinge
