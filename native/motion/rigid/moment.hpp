// Two moving bodies at one time: where they are, and how fast things in them come closer, eight
// pairs at a time in the float frame of a.
//
// Two convex sets stay apart along a fixed direction n while gap > rate h + bend h^2, h being the
// time that passes. The rate is the most that any of their points moves along n, those of a
// forward and those of b back; the bend is half of the largest accelerations. Both are rounded up
// and the gap down, see docs/motion.md.
#pragma once

#include <optional>

#include "base/lanes.hpp"
#include "boxes/frame_map.hpp"
#include "bvh/distance/gaps.hpp"
#include "bvh/tree/leaf.hpp"
#include "bvh/tree/placed_tree.hpp"
#include "motion/rigid/segment.hpp"

namespace impinge::motion {

struct Approach {
  Float8 gap, rate, bend;

  // Lanes that certainly stay apart for a time; never where something is not a number. What has no
  // gap along a line may meet, however fast it recedes along that.
  Mask8 apart_for(float time) const {
    const Float8 h(time);
    return (gap > Float8(0.0f)) & (gap > mul_add(bend, h, rate) * h);
  }
};

// How long they certainly stay apart.
double safe_time(double gap, double rate, double bend);

// The same of each of eight pairs.
class SafeTimes {
 public:
  explicit SafeTimes(const Approach& approach) {
    approach.gap.store(gap_);
    approach.rate.store(rate_);
    approach.bend.store(bend_);
  }
  double operator[](int lane) const { return safe_time(gap_[lane], rate_[lane], bend_[lane]); }

 private:
  alignas(32) float gap_[kLanes], rate_[kLanes], bend_[kLanes];
};

// Eight boxes, or one eight times.
struct BoxShape {
  Float8 middle[3], half[3];

  explicit BoxShape(const Box8& box) {
    for (int k = 0; k < 3; ++k) {
      middle[k] = (box.lo[k] + box.hi[k]) * Float8(0.5f);
      half[k] = (box.hi[k] - box.lo[k]) * Float8(0.5f);
    }
  }
};

// Eight triangles, or one eight times: coordinate i = 3 * corner + axis.
struct TriangleShape {
  Float8 corner[3][3];

  template <class At>
  explicit TriangleShape(const At& at) {
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) corner[c][k] = at(3 * c + k);
    }
  }
};

// How a body turns in the frame of a, in its units; in moments time is the share of the piece.
struct Spin {
  float turn[3], origin[3], length;

  // The most that points of a shape move along n by turning: (w x y) n = y (n x w).
  template <class Shape>
  Float8 rate(const Shape& shape, const Float8 (&n)[3], float sign) const;
  // |w| |w x y|, the largest acceleration of a point.
  template <class Shape>
  Float8 bend(const Shape& shape) const;
};

// Where both bodies are, and how they move per share of the piece.
struct Places {
  double share;
  State state_a, state_b;
  bvh::PlacedTree a, b;

  Places(const bvh::Tree& a, const bvh::Tree& b, const Piece& piece, double share);
};

class Moment {
 public:
  explicit Moment(const Places& places);

  double share() const { return share_; }
  const FrameMap& relative() const { return relative_; }

  // Along unit vectors n from a to b, of lanes with these gaps along them.
  template <class Shape>
  Approach along(const Float8 (&n)[3], Float8 gap, const Shape& a, const Shape& b) const;
  // Of boxes, those of b as `relative` moves them: along the line between their nearest points.
  Approach of_boxes(const Box8& a, const Box8& moved_b) const;
  // The same with the boxes of b as they are, which are smaller than moved ones: where these meet,
  // along the line between their middles.
  Approach of_boxes(const Box8& a, const Box8& own_b, const Box8& moved_b) const;
  // Of triangles in the frame, along lines between points of both.
  Approach of_triangles(const TriangleShape& a, const TriangleShape& b) const;

 private:
  double share_;
  FrameMap relative_;
  float velocity_[3];  // of a less that of b
  Spin spin_a_, spin_b_;
  float rate_slack_, bend_, gap_slack_, box_slack_;
};

}  // namespace impinge::motion
