// A slab around each patch of a tree: how far its triangles reach along their mean normal. And
// balls: around all of them, and around some large parts.
//
// A small patch of a surface is nearly flat, and boxes around flat things that stand askew are
// mostly empty. Two patches that pass each other closely are apart along the normal of one of
// them long before their boxes are.
#pragma once

#include <cstddef>
#include <vector>

#include "boxes/frame_map.hpp"
#include "boxes/hierarchy.hpp"
#include "bvh/tree/tree.hpp"

namespace impinge::bvh {

// Slabs of the eight children of a node: middle - half <= n.x <= middle + half for each vertex x of
// the float frame. A patch without a mean normal has n = 0, and nothing is beside it.
struct alignas(32) SlabNode {
  float n[3][kLanes], middle[kLanes], half[kLanes];
};

// A slab in some frame, and eight of them: x is within iff |n.x + offset| <= half. The half sizes
// include what rounding can do.
struct Slab {
  float n[3], offset, half;
};
struct Slab8 {
  Float8 n[3], offset, half;
};

// Eight patches in their own frame: what lies in the box and in the slab.
struct Patch8 {
  Float8 centre[3], reach[3], n[3], middle, half;
};

inline Patch8 load_patches(const Node& boxes, const SlabNode& slabs) {
  const Float8 half(0.5f);
  Patch8 p;
  for (int k = 0; k < 3; ++k) {
    const Float8 lo = Float8::load(boxes.lo[k]), hi = Float8::load(boxes.hi[k]);
    p.centre[k] = (lo + hi) * half;
    p.reach[k] = (hi - lo) * half;
    p.n[k] = Float8::load(slabs.n[k]);
  }
  p.middle = Float8::load(slabs.middle);
  p.half = Float8::load(slabs.half);
  return p;
}

// As another frame sees them.
inline Slab8 turn(const SlabNode& slabs, const FrameMap& to_slabs) {
  const Float8 n[3] = {Float8::load(slabs.n[0]), Float8::load(slabs.n[1]),
                       Float8::load(slabs.n[2])};
  const auto times = [&](float x, float y, float z) {
    return mul_add(n[0], Float8(x), mul_add(n[1], Float8(y), n[2] * Float8(z)));
  };
  Slab8 s;
  for (int k = 0; k < 3; ++k) {
    s.n[k] = times(to_slabs.r[0][k], to_slabs.r[1][k], to_slabs.r[2][k]);
  }
  s.offset = times(to_slabs.t[0], to_slabs.t[1], to_slabs.t[2]) - Float8::load(slabs.middle);
  s.half = Float8::load(slabs.half) + Float8(to_slabs.slab_slack);
  return s;
}

// One lane, eight times.
inline Patch8 spread(const Patch8& p, int lane) {
  Patch8 one;
  for (int k = 0; k < 3; ++k) {
    one.centre[k] = spread(p.centre[k], lane);
    one.reach[k] = spread(p.reach[k], lane);
    one.n[k] = spread(p.n[k], lane);
  }
  one.middle = spread(p.middle, lane);
  one.half = spread(p.half, lane);
  return one;
}

inline Slab8 spread(const Slab8& s, int lane) {
  Slab8 one;
  for (int k = 0; k < 3; ++k) one.n[k] = spread(s.n[k], lane);
  one.offset = spread(s.offset, lane);
  one.half = spread(s.half, lane);
  return one;
}

// Lanes in which a patch may reach into a slab. For any factor f, n.y = f m.y + (n - f m).y, where
// m.y is bounded by the patch's own slab and the rest by its box; with f = n.m the rest is small
// where both are nearly parallel.
inline unsigned reaching(const Patch8& patch, const Slab8& slab) {
  const Float8 f =
      mul_add(slab.n[0], patch.n[0], mul_add(slab.n[1], patch.n[1], slab.n[2] * patch.n[2]));
  Float8 middle = mul_add(f, patch.middle, slab.offset);
  Float8 half = mul_add(abs(f), patch.half, slab.half);
  for (int k = 0; k < 3; ++k) {
    const Float8 rest = slab.n[k] - f * patch.n[k];
    middle = mul_add(rest, patch.centre[k], middle);
    half = mul_add(abs(rest), patch.reach[k], half);
  }
  return bits(abs(middle) <= half);
}

// Lanes whose triangles reach into a slab.
inline unsigned reaching(const Leaf& leaf, const Slab& slab) {
  Float8 least, most;
  for (int c = 0; c < 3; ++c) {
    const Float8 at = mul_add(
        Float8(slab.n[0]), Float8::load(leaf.v[3 * c]),
        mul_add(Float8(slab.n[1]), Float8::load(leaf.v[3 * c + 1]),
                mul_add(Float8(slab.n[2]), Float8::load(leaf.v[3 * c + 2]), Float8(slab.offset))));
    least = c ? min(least, at) : at;
    most = c ? max(most, at) : at;
  }
  return bits((least <= Float8(slab.half)) & (Float8(-slab.half) <= most));
}

// A ball in a tree's frame.
struct PartBall {
  double centre[3], radius;
};

class Slabs {
 public:
  Slabs(const Tree& tree, int workers);

  // Those of the children of a node, where the level has them: larger patches are not flat.
  bool has(int level) const { return level <= static_cast<int>(levels_.size()); }
  const SlabNode& node(int level, std::size_t i) const { return levels_[level - 1][i]; }

  // Around node i of a level as a whole, seen from another frame; the level above must have slabs.
  Slab8 whole(int level, std::size_t i, const FrameMap& to_slabs) const {
    const Slab s = seen(level + 1, i, to_slabs);
    return {{Float8(s.n[0]), Float8(s.n[1]), Float8(s.n[2])}, Float8(s.offset), Float8(s.half)};
  }
  // Around one leaf, in its own frame and seen from another.
  Slab leaf(std::size_t i, const FrameMap& others) const { return own(1, i, others); }
  Slab leaf_seen(std::size_t i, const FrameMap& to_slabs) const { return seen(1, i, to_slabs); }
  // Of a ball around the centre of the tree's frame that holds all triangles, in its units.
  double radius() const { return radius_; }
  // Balls around large parts, which together hold all triangles. And around the eight children of
  // each: fine part i is of part i / 8; none where the parts are leaves.
  const std::vector<PartBall>& parts() const { return parts_; }
  const std::vector<PartBall>& fine_parts() const { return fine_parts_; }
  static constexpr std::size_t kMostParts = 16, kMostFineParts = kLanes * kMostParts;
  std::size_t bytes() const;

 private:
  // Of child i of the nodes of a level.
  Slab own(int level, std::size_t i, const FrameMap& others) const {
    const SlabNode& s = node(level, i / kLanes);
    const auto j = i % kLanes;
    return {{s.n[0][j], s.n[1][j], s.n[2][j]}, -s.middle[j], s.half[j] + others.slab_slack};
  }
  Slab seen(int level, std::size_t i, const FrameMap& to_slabs) const {
    const Slab mine = own(level, i, to_slabs);
    Slab turned = mine;
    for (int k = 0; k < 3; ++k) {
      turned.offset += mine.n[k] * to_slabs.t[k];
      turned.n[k] = mine.n[0] * to_slabs.r[0][k] + mine.n[1] * to_slabs.r[1][k] +
                    mine.n[2] * to_slabs.r[2][k];
    }
    return turned;
  }

  std::vector<std::vector<SlabNode>> levels_;
  double radius_;
  std::vector<PartBall> parts_, fine_parts_;
};

}  // namespace impinge::bvh
