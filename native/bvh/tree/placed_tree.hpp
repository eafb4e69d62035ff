// A tree and its pose. World coordinates are float64, rounded as `transform_point` does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boxes/frame_map.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/pose.hpp"
#include "geometry/vec.hpp"

namespace impinge::bvh {

struct PlacedTree {
  const Tree* tree = nullptr;
  Pose pose;

  Triangle triangle(std::size_t slot) const;
  Triangle triangle_of_face(std::int32_t face) const;
  PlacedFrame frame() const { return {tree->frame(), tree->bounds(), pose}; }
};

}  // namespace impinge::bvh
