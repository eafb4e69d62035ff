#include "solids/boundary.hpp"

#include <algorithm>

#include "bvh/tree/placed_tree.hpp"
#include "pairs/rule.hpp"
#include "solids/column.hpp"
#include "solids/sectors.hpp"
#include "solids/surroundings.hpp"

namespace impinge::solids {
namespace {

Box box_of(const bvh::Leaf& leaf, std::size_t lane) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    const auto [lo, hi] = std::minmax({leaf.v[k][lane], leaf.v[3 + k][lane], leaf.v[6 + k][lane]});
    box.lo[k] = lo;
    box.hi[k] = hi;
  }
  return box;
}

}  // namespace

Boundary::Boundary(const bvh::Tree& tree, Sense sense)
    : tree_(tree), sense_(sense), axis_(best_axis(tree.boxes())), known_(tree.face_count()) {}

bool Boundary::find_out(std::size_t slot) const {
  const Triangle t = bvh::PlacedTree{&tree_, Pose()}.triangle(slot);
  const bool yes = has_area(t[0], t[1], t[2]) && (bounds_at_corner(slot) || is_cut(slot));
  known_[slot].store(yes ? Known::yes : Known::no, std::memory_order_relaxed);
  return yes;
}

bool Boundary::bounds_at_corner(std::size_t slot) const {
  const auto& id = tree_.corners(slot / kLanes).id;
  const std::size_t lane = slot % kLanes;
  const double* corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = tree_.vertex(id[k][lane]);
  const SkewRay ray{corner[0], axis_};
  const Surroundings around(tree_, ray);
  const auto itself = std::find_if(around.faces.begin(), around.faces.end(), [&](const FaceAt& f) {
    return std::equal(f.corner, f.corner + 3, corner);
  });
  const BothSides beside = windings_beside(ray, around.faces, around.others, *itself);
  return is_solid(beside.front, sense_) != is_solid(beside.back, sense_);
}

// Whether it meets other faces along more than a point, but for what they share: where it does not,
// the winding number on each side of it is one.
bool Boundary::is_cut(std::size_t slot) const {
  const bvh::PlacedTree placed{&tree_, Pose()};
  const Triangle t = placed.triangle(slot);
  const Box box = box_of(tree_.leaf(slot / kLanes), slot % kLanes);
  const auto cuts = [&](std::size_t other) {
    const Triangle o = placed.triangle(other);
    if (other == slot || !has_area(o[0], o[1], o[2])) return false;
    const Kind kind = decide(t, o, true, Rule{});
    return kind != Kind::none && kind != Kind::point;
  };
  return !for_each_leaf(tree_.boxes(), box, [&](std::size_t leaf, const Node&) {
    unsigned met = triangles_meeting(tree_, leaf, box);
    for (; met; met &= met - 1) {
      if (cuts(leaf * kLanes + static_cast<std::size_t>(std::countr_zero(met)))) return false;
    }
    return true;
  });
}

}  // namespace impinge::solids
