// Pairs of leaves of two trees that are near each other along a direction.
//
// What a plane nearly separates has few leaves that reach far towards the other body. How far they
// reach is found for each tree alone, and only pairs that are near enough together are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/front.hpp"
#include "bvh/distance/discs.hpp"
#include "bvh/distance/gaps.hpp"

namespace impinge::bvh {

// Pairs of things by a bound on their distance, squared for boxes; ties in the order of the things.
struct Near {
  float bound;
  Item item;
  bool operator<(const Near& other) const {
    if (bound != other.bound) return bound < other.bound;
    return item.a != other.item.a ? item.a < other.item.a : item.b < other.item.b;
  }
};

class Sweep {
 public:
  // The leaves of both trees that are near enough to some other along n; false for too many.
  bool gather(const Tree& a, const Tree& b, const Direction& n);

  // Of those the pairs within the cuts. A quick look takes the farthest leaves only.
  bool worth_a_look() const;
  std::vector<Near>& look(const Tree& a, const Tree& b, const FrameMap& relative,
                          const GapLimits& cuts);
  std::vector<Near>& pairs(const Tree& a, const Tree& b, const FrameMap& relative,
                           const GapLimits& cuts);

 private:
  // A leaf and how far it reaches along a direction.
  struct Reach {
    float most;
    std::uint32_t leaf;
    bool operator<(const Reach& other) const {
      return most != other.most ? most > other.most : leaf < other.leaf;
    }
  };

  static void farthest_few(const std::vector<Reach>& all, std::vector<Reach>& few);
  std::vector<Near>& pair_up(const Tree& a, const Tree& b, const FrameMap& relative,
                             const GapLimits& cuts, const std::vector<Reach>& far_a,
                             const std::vector<Reach>& far_b);

  float start_ = 0;
  std::vector<Reach> far_a_, far_b_, few_a_, few_b_;
  std::vector<Discs> discs_;
  std::vector<Near> pairs_;
};

}  // namespace impinge::bvh
