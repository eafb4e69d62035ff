// A closed surface in its place.
#pragma once

#include <cstdint>

#include "bvh/pair/prepared_tree.hpp"
#include "geometry/vec.hpp"
#include "solids/rings.hpp"

namespace impinge::solids {

class PlacedSurface {
 public:
  // Keeps both; `flipped`: faces run around the other way than those of the mesh.
  PlacedSurface(const bvh::PreparedTree& tree, const Rings& rings, const Pose& pose, bool flipped)
      : body_(tree, pose), rings_(&rings), flipped_(flipped) {}

  const bvh::Body& body() const { return body_; }
  const Rings& rings() const { return *rings_; }
  bool is_flipped() const { return flipped_; }

  void vertex(std::int32_t id, double (&point)[3]) const {
    place_point(body_.pose, body_.tree->vertex(id), point);
  }
  // Corners 0, 1, 2 of a flipped triangle are 0, 2, 1 of the mesh, and so are its sides 2, 1, 0.
  Triangle triangle(std::int32_t face) const {
    Triangle t;
    for (int k = 0; k < 3; ++k) vertex(corner(face, k), t.v[k]);
    return t;
  }
  // The id of a corner of the triangle.
  std::int32_t corner(std::int32_t face, int k) const {
    const int own = flipped_ && k > 0 ? 3 - k : k;
    return rings_->corners(static_cast<std::size_t>(face))[own];
  }
  int side_of_triangle(int side) const { return flipped_ ? 2 - side : side; }

 private:
  bvh::Body body_;
  const Rings* rings_;
  bool flipped_;
};

}  // namespace impinge::solids
