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

  Triangle triangle(std::size_t slot) const {
    const Corners8& corners = tree->corners(slot / kLanes);
    const std::size_t lane = slot % kLanes;
    return in_world(corners.id[0][lane], corners.id[1][lane], corners.id[2][lane]);
  }
  Triangle triangle_of_face(std::int32_t face) const {
    const std::int32_t* corners = tree->face(static_cast<std::size_t>(face));
    return in_world(corners[0], corners[1], corners[2]);
  }
  PlacedFrame frame() const { return {tree->frame(), tree->bounds(), pose}; }

 private:
  Triangle in_world(std::int32_t a, std::int32_t b, std::int32_t c) const {
    Triangle t;
    place_point(pose, tree->vertex(a), t.v[0]);
    place_point(pose, tree->vertex(b), t.v[1]);
    place_point(pose, tree->vertex(c), t.v[2]);
    return t;
  }
};

}  // namespace impinge::bvh
