// Distances from the boundary of a solid at rest, for one thread.
#pragma once

#include "bvh/tree/placed_tree.hpp"
#include "depth/unit_normal.hpp"
#include "solids/nearest.hpp"
#include "solids/side.hpp"
#include "solids/solid.hpp"

namespace impinge::depth {

class DistanceTo {
 public:
  explicit DistanceTo(const solids::Solid& solid) : DistanceTo(solid, solid.boundary()) {}
  // From triangles of a tree.
  DistanceTo(const solids::Solid& solid, const bvh::Tree& tree)
      : solid_(solid), tree_(tree), search_(tree_) {}

  const solids::Solid& solid() const { return solid_; }
  const bvh::Tree& tree() const { return tree_; }
  // Whether that is the mesh, and not a surface with none of the faces that bound nothing.
  bool is_mesh() const { return &tree_ == &solid_.tree().tree(); }
  // The faces that are searched: of the mesh when it is known which parts of them count.
  const bvh::Tree& searched(bool is_cut) const { return is_cut ? solid_.tree().tree() : tree_; }

  double find(const double* point) {
    search_.find(point);
    return search_.near().value;
  }
  // Where the next search begins, and where the last one ended.
  void start_at(std::size_t slot) { search_.start_at(slot); }
  std::size_t slot() const { return search_.slot(); }
  // Not less than that, and not more than the surplus beyond it.
  double find_about(const double* point, double surplus) {
    search_.find(point, surplus);
    return search_.near().value;
  }
  // The same, negative outside.
  double find_signed(const double* point) {
    const double distance = find(point);
    return is_outside(point) ? -distance : distance;
  }
  bool is_outside(const double* point) const {
    return side_of(solid_.tree().tree(), point, solid_.sense()) == solids::Side::outside;
  }
  // What was found last.
  const double* nearest() const { return search_.near().point; }
  Triangle triangle() const { return triangle_in(search_.slot()); }
  // Zero without area.
  Vector outward(const Triangle& t) const {
    const Vector n = unit_normal(t);
    return solid_.sense() == solids::Sense::turned ? scaled(n, -1) : n;
  }
  std::int32_t face() const { return search_.face(); }
  Triangle triangle_in(std::size_t slot) const {
    return bvh::PlacedTree{&tree_, Pose()}.triangle(slot);
  }

 private:
  const solids::Solid& solid_;
  const bvh::Tree& tree_;
  solids::NearestSearch search_;
};

}  // namespace impinge::depth
