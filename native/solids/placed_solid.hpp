// A solid in its place. A pose that mirrors turns its faces around, since they would look inward.
#pragma once

#include <cstdint>
#include <utility>

#include "bvh/pair/prepared_tree.hpp"
#include "geometry/orient.hpp"
#include "geometry/vec.hpp"
#include "solids/solid.hpp"

namespace impinge::solids {

// Sign of the determinant: -1 mirrors, 0 makes everything flat.
inline int handedness(const Pose& pose) {
  const double zero[3] = {0, 0, 0};
  return orient3d(pose.m[0], pose.m[1], pose.m[2], zero);
}

class PlacedSolid {
 public:
  PlacedSolid(const Solid& solid, const Pose& pose)
      : PlacedSolid(solid, pose, solid.is_turned() != (handedness(pose) < 0)) {}
  PlacedSolid(const Solid& solid, const Pose& pose, bool flipped)
      : solid_(&solid), body_(solid.tree(), pose), flipped_(flipped) {}

  const Solid& solid() const { return *solid_; }
  const Rings& rings() const { return solid_->rings(); }
  const bvh::Body& body() const { return body_; }
  const bvh::PlacedTree& placed() const { return body_; }

  // Whether faces run around the other way than those of the mesh.
  bool is_flipped() const { return flipped_; }
  void vertex(std::int32_t id, double (&point)[3]) const {
    place_point(body_.pose, body_.tree->vertex(id), point);
  }
  // Counter-clockwise from outside, when it bounds the solid.
  Triangle triangle(std::int32_t face) const {
    const std::int32_t* id = rings().corners(static_cast<std::size_t>(face));
    Triangle t;
    vertex(id[0], t.v[0]);
    vertex(id[flipped_ ? 2 : 1], t.v[1]);
    vertex(id[flipped_ ? 1 : 2], t.v[2]);
    return t;
  }

 private:
  const Solid* solid_;
  bvh::Body body_;
  bool flipped_;
};

}  // namespace impinge::solids
