// Along a ray through a box tree: the faces that may be hit, the nearest boxes first.
//
// The float bounds are those of `raycast`, made for hits inside the triangle. A hit of `crosses`
// may be outside by 1e-9 of its size, which moves an edge function by 1e-9 reach^2, while the
// factor of 1.01 in `SideBound` leaves 2e-9 reach^2 unused; and it is outside the box by 1e-8 of
// it, 2e-8 in the frame, while 1e-7 of `kSlabError` is unused.
#pragma once

#include <cstdint>

#include "bvh/ray/frame_ray.hpp"
#include "bvh/ray/leaf_pass.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/crossing.hpp"
#include "geometry/ray.hpp"

namespace impinge::bvh {

// Calls hits.test(face) for all faces that may be hit behind `begin` and before hits.end().
template <class Hits>
class TreeWalk {
 public:
  TreeWalk(const Tree& tree, const Beam& beam, double begin, Hits& hits)
      : tree_(tree), hits_(hits) {
    const double along[3] = {beam.direction.x, beam.direction.y, beam.direction.z};
    Ray ray;
    ray.set(beam.origin, along);
    ray_.place(&ray, 1, tree.frame());
    if (ray_.state(0) == RayState::misses) return;
    if (ray_.state(0) == RayState::blind) {
      for (std::size_t i = 0; i < tree.face_count(); ++i) hits.test(tree.face_of(i));
      return;
    }
    // of a component that is zero, too
    for (int k = 0; k < 3; ++k) negative_[k] = ray_.inverse[k][0] < 0;
    ray_.limit(&ray, 1, begin, hits.end());
    descend();
  }

 private:
  struct Step {
    float enter;
    std::int32_t level;
    std::uint32_t index;
  };
  static constexpr int kMostSteps = 12 * kLanes;

  void descend() {
    Step stack[kMostSteps];
    int depth = 0;
    stack[depth++] = {ray_.begin[0], tree_.boxes().top(), 0};
    while (depth > 0) {
      const Step step = stack[--depth];
      if (step.enter > ray_.end[0]) continue;
      if (step.level == 0) {
        test_leaf(step.index);
      } else {
        depth += open(step, stack + depth);
      }
    }
  }

  // The children that the ray enters, the nearest one last.
  int open(const Step& parent, Step* children) {
    const Node& node = tree_.boxes().node(parent.level, parent.index);
    Float8 enter(ray_.begin[0]), leave(ray_.end[0]);
    for (int k = 0; k < 3; ++k) {
      const Float8 lo = Float8::load(node.lo[k]), hi = Float8::load(node.hi[k]);
      const Float8 inverse(ray_.inverse[k][0]);
      enter = max(enter, mul_sub(negative_[k] ? hi : lo, inverse, Float8(ray_.near_shift[k][0])));
      leave = min(leave, mul_sub(negative_[k] ? lo : hi, inverse, Float8(ray_.far_shift[k][0])));
    }
    const unsigned entered =
        bits(enter <= leave) & tree_.boxes().children(parent.level, parent.index);
    alignas(32) float at[kLanes];
    enter.store(at);
    int count = 0;
    for_each_bit(entered, [&](int c) {
      int place = count++;
      for (; place > 0 && children[place - 1].enter < at[c]; --place) {
        children[place] = children[place - 1];
      }
      children[place] = {at[c], parent.level - 1,
                         parent.index * kLanes + static_cast<std::uint32_t>(c)};
    });
    return count;
  }

  void test_leaf(std::uint32_t index) {
    const float size = longest_side(tree_.boxes().box(0, index));
    LeafPass pass;
    LeafTest<1>{ray_}(tree_.leaf(index), 0, ray_.side_bound(size), pass);
    const unsigned lanes = pass.lanes & tree_.lanes(index);
    if (!lanes) return;
    for_each_bit(lanes, [&](int lane) {
      hits_.test(tree_.face_of(std::size_t{index} * kLanes + static_cast<std::size_t>(lane)));
    });
    ray_.end[0] = ray_.behind(0, hits_.end());
  }

  const Tree& tree_;
  Hits& hits_;
  FrameRays<1> ray_;
  bool negative_[3];
};

template <class Hits>
void walk(const Tree& tree, const Beam& beam, double begin, Hits& hits) {
  if (!tree.empty()) TreeWalk<Hits>(tree, beam, begin, hits);
}

}  // namespace impinge::bvh
