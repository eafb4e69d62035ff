// The closest pair of triangles that a search has seen, and what may be skipped because of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boxes/front.hpp"
#include "bvh/distance/distance.hpp"
#include "bvh/distance/flat_leaves.hpp"
#include "bvh/distance/gaps.hpp"

namespace impinge::bvh {

// The bodies of a search. The larger one gives the frame and comes first, whichever that is.
struct Bodies {
  PlacedTree a, b;
  bool swapped;
  FrameMap relative;

  Bodies(const PlacedTree& at_rest, const PlacedTree& moved);
};

class BestPair {
 public:
  // Memory kept from pose to pose.
  struct Scratch {
    FlatLeaves a, b;
  };

  BestPair(const Bodies& bodies, double upper_bound, Scratch& scratch, DistanceCounters& counters);

  // Nothing can be closer.
  bool meets() const { return known() && best_.value == 0; }
  bool known() const { return best_.face_a >= 0; }
  double value() const { return best_.value; }
  // Infinite when nothing is within the upper bound.
  Closest result() const { return known() ? best_ : Closest{}; }

  const GapLimits& cuts() const { return cuts_; }
  double far_cut() const { return far_cut_; }
  const Direction& line() const { return line_; }

  // Triangles that may be the closest: by their faces, not swapped, or by their lanes.
  void try_faces(std::int32_t face_a, std::int32_t face_b);
  void try_lanes(Item leaves, int lane_a, int lane_b);

  // Whether two leaves lie across an axis, no closer than the best pair, and come after it. Asked
  // for only where that happens much.
  bool never_first(Item leaves);

 private:
  bool comes_first(std::int32_t face_a, std::int32_t face_b) const;
  void offer(const Triangle& a, const Triangle& b, std::int32_t face_a, std::int32_t face_b);
  void tighten();
  Direction between_points() const;

  const Bodies& bodies_;
  Scratch& scratch_;
  DistanceCounters& counters_;
  const double size_;   // no coordinates of a body differ by more
  const double reach_;  // coordinates of both in the frame together are no larger
  Closest best_;
  std::size_t ties_ = 0;  // pairs that were no closer and came later
  double far_cut_ = 0;    // for what is compared in float64
  GapLimits cuts_;
  Direction line_;  // between the points of the best pair
};

}  // namespace impinge::bvh
