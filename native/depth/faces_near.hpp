// The faces of a mesh that are near a point.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bvh/tree/placed_tree.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/point_distance.hpp"

namespace impinge::depth {

struct Everywhere {
  // The box is relative to the point, in the scale of the tree.
  bool operator()(const double*, const double*) const { return true; }
};

// Calls visit(triangle, face) for each face within the radius of a point, and for some others,
// until that is false; boxes for which `concerns` is false are left out.
template <class Visit, class Concerns>
class FacesNear {
 public:
  FacesNear(const bvh::Tree& tree, const double* point, double radius, const Visit& visit,
            const Concerns& concerns)
      : tree_(tree), visit_(visit), concerns_(concerns) {
    const Frame& frame = tree.frame();
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
      at_[k] = (point[k] - frame.centre[k]) * frame.scale;
      reach = std::max(reach, std::abs(at_[k]));
    }
    rounding_ = kRounding + 0x1p-50 * reach;
    squared_ = radius * frame.scale * radius * frame.scale * (1 + 1e-9);
  }

  // Whether all were visited.
  bool run() const { return run(tree_.boxes().top(), 0); }

 private:
  bool is_near(const Box& box) const {
    double lo[3], hi[3], squared = 0;
    for (int k = 0; k < 3; ++k) {
      lo[k] = box.lo[k] - at_[k] - rounding_;
      hi[k] = box.hi[k] - at_[k] + rounding_;
      const double gap = std::max({lo[k], -hi[k], 0.0});
      squared += gap * gap;
    }
    return squared <= squared_ && concerns_(lo, hi);
  }

  bool run(int level, std::size_t index) const {
    if (level == 0) return run_leaf(index);
    const Node& node = tree_.boxes().node(level, index);
    bool goes_on = true;
    for_each_bit(tree_.boxes().children(level, index), [&](int c) {
      goes_on = goes_on && (!is_near(lane(node, c)) ||
                            run(level - 1, index * kLanes + static_cast<std::size_t>(c)));
    });
    return goes_on;
  }

  bool run_leaf(std::size_t leaf) const {
    bool goes_on = true;
    for_each_bit(tree_.lanes(leaf), [&](int c) {
      if (!goes_on) return;
      const std::size_t slot = leaf * kLanes + static_cast<std::size_t>(c);
      const Triangle t = bvh::PlacedTree{&tree_, Pose()}.triangle(slot);
      goes_on = visit_(t, tree_.face_of(slot));
    });
    return goes_on;
  }

  const bvh::Tree& tree_;
  const Visit& visit_;
  const Concerns& concerns_;
  double at_[3], rounding_, squared_;
};

template <class Visit, class Concerns = Everywhere>
bool for_each_face_near(const bvh::Tree& tree, const double* point, double radius,
                        const Visit& visit, const Concerns& concerns = {}) {
  return FacesNear<Visit, Concerns>(tree, point, radius, visit, concerns).run();
}

}  // namespace impinge::depth
