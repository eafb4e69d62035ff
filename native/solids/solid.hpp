// A closed surface as the boundary of a solid, at rest and in its place.
#pragma once

#include <cstddef>
#include <memory>

#include "base/lazy.hpp"
#include "geometry/orient.hpp"
#include "solids/boundary.hpp"
#include "solids/judgement.hpp"
#include "solids/placed_surface.hpp"
#include "solids/rings.hpp"

namespace impinge::solids {

class Solid {
 public:
  // Keeps the tree, which must outlive it.
  Solid(const bvh::PreparedTree& tree, int workers);

  const bvh::PreparedTree& tree() const { return tree_; }
  const Rings& rings() const { return rings_; }
  bool is_closed() const { return rings_.is_closed(); }
  // Of a closed surface.
  const Judgement& judgement() const { return judgement_; }
  Sense sense() const { return judgement_.is_turned ? Sense::turned : Sense::as_given; }
  // Of triangles that cover the surface of the solid at rest: made when first asked for, unless it
  // is the mesh itself. Safe from many threads.
  const bvh::Tree& boundary() const;
  // The same with faces that others cut as a whole: at each point inside at least as close.
  const bvh::Tree& rough_boundary() const;

  std::size_t bytes() const;

 private:
  const bvh::PreparedTree& tree_;
  const Rings rings_;
  Judgement judgement_;
  bool all_bounds() const;
  const bvh::Tree& made(const Lazy<Boundary>& boundary, Boundary::Cut cut) const;
  Lazy<Boundary> boundary_, rough_boundary_;
};

// Sign of the determinant: -1 mirrors, 0 makes everything flat.
inline int handedness(const Pose& pose) {
  const double zero[3] = {0, 0, 0};
  return orient3d(pose.m[0], pose.m[1], pose.m[2], zero);
}

// Faces run around against the clock, seen from outside: they are turned around under a pose that
// mirrors, and when the mesh is inside out. The vertices are rounded under a pose, and what is
// known of the solid at rest holds only if it is sturdy.
class PlacedSolid : public PlacedSurface {
 public:
  PlacedSolid(const Solid& solid, const Pose& pose);

  bool is_simple() const { return judgement_->is_simple; }
  bool overlaps_itself() const { return judgement_->overlaps_itself; }
  const Buffer<Key>& own_pairs() const { return judgement_->own_pairs; }
  // Whether there is solid on one side of the face and none on the other; of a simple surface.
  bool bounds(std::size_t face) const {
    const std::int32_t shell = rings().shell(face);
    return shell >= 0 && shell_bounds(static_cast<std::size_t>(shell));
  }
  bool shell_bounds(std::size_t shell) const { return judgement_->shell_bounds[shell] != 0; }

 private:
  PlacedSolid(const Solid& solid, const Pose& pose, std::shared_ptr<const Judgement> judgement);

  std::shared_ptr<const Judgement> judgement_;
};

}  // namespace impinge::solids
