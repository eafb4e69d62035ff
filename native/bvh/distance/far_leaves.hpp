// The leaves of a tree that reach far along a direction.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "bvh/distance/gaps.hpp"
#include "bvh/tree/tree.hpp"

namespace impinge::bvh {

class FarLeaves {
 public:
  FarLeaves(const Tree& tree, const float (&n)[3]) : tree_(tree), n_{n[0], n[1], n[2]} {}

  // How far the farthest leaf reaches.
  float farthest() const {
    float most = -std::numeric_limits<float>::infinity();
    climb(tree_.boxes().top(), 0, most);
    return most;
  }

  // Hands each leaf that reaches at least as far as `limit` to take(leaf, most), in order, until
  // that returns false.
  template <class Take>
  bool visit(float limit, Take take) const {
    return descend(tree_.boxes().top(), 0, limit, take);
  }

 private:
  float of_leaf(std::uint32_t i) const { return highest(TrianglesAlong(tree_.leaf(i), n_).most()); }
  Float8 of_children(int level, std::uint32_t i) const {
    return BoxesAlong(load_boxes(tree_.boxes().node(level, i)), n_).most();
  }

  void climb(int level, std::uint32_t i, float& most) const {
    if (level == 0) {
      most = std::max(most, of_leaf(i));
      return;
    }
    const Float8 reach = of_children(level, i);
    unsigned left = bits(reach > Float8(most)) & tree_.boxes().children(level, i);
    if (!left) return;
    alignas(32) float each[kLanes];
    reach.store(each);
    // The farthest first, which spares most of the others.
    int next = std::countr_zero(left);
    for_each_bit(left, [&](int c) { next = each[c] > each[next] ? c : next; });
    for (; left; next = std::countr_zero(left)) {
      left &= ~(1u << next);
      if (each[next] > most) climb(level - 1, i * kLanes + static_cast<std::uint32_t>(next), most);
    }
  }

  template <class Take>
  bool descend(int level, std::uint32_t i, float limit, Take& take) const {
    if (level == 0) {
      const float most = of_leaf(i);
      return !(most >= limit) || take(i, most);
    }
    unsigned left = bits(Float8(limit) <= of_children(level, i)) & tree_.boxes().children(level, i);
    for (; left; left &= left - 1) {
      const std::uint32_t c = static_cast<std::uint32_t>(std::countr_zero(left));
      if (!descend(level - 1, i * kLanes + c, limit, take)) return false;
    }
    return true;
  }

  const Tree& tree_;
  const float n_[3];
};

}  // namespace impinge::bvh
