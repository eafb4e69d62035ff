// A closed surface as the boundary of a solid: what is known of it before any question.
//
// The solid is where the winding number is above 0. A surface is simple when no two faces meet in
// more than what they share; then the winding number is the same all over the front of a shell, and
// a shell bounds the solid if that number is 0. Other surfaces are tangled. A surface with a winding
// number above 0 nowhere is inside out, and is turned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/pair/prepared_tree.hpp"
#include "solids/rings.hpp"

namespace impinge::solids {

class Solid {
 public:
  // Keeps the tree, which must outlive it.
  Solid(const bvh::PreparedTree& tree, int workers);

  const bvh::PreparedTree& tree() const { return tree_; }
  const Rings& rings() const { return rings_; }

  bool is_closed() const { return rings_.is_closed(); }
  bool is_simple() const { return simple_; }
  bool is_turned() const { return turned_; }
  // Whether the winding number is somewhere neither 0 nor 1: shells that overlap.
  bool overlaps_itself() const { return overlapping_; }
  // Whether there is solid on one side of the face and none on the other; of a simple surface.
  bool bounds(std::size_t face) const {
    const std::int32_t shell = rings_.shell(face);
    return shell >= 0 && bounding_[static_cast<std::size_t>(shell)] != 0;
  }
  bool shell_bounds(std::size_t shell) const { return bounding_[shell] != 0; }

  std::size_t bytes() const { return rings_.bytes() + bounding_.size(); }

 private:
  void judge_shells();
  void judge_tangle(int workers);
  int front_winding(std::int32_t face) const;

  const bvh::PreparedTree& tree_;
  const Rings rings_;
  bool simple_ = false, turned_ = false, overlapping_ = false;
  std::vector<std::uint8_t> bounding_;  // by shell
};

}  // namespace impinge::solids
