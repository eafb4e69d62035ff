// When two features come near each other: certified steps through time.
//
// The features are convex hulls of points that move along straight lines. Along any fixed direction
// n the gap between two points is a linear function of time, and the gap between the features is at
// least the least of these, over all pairs of points. So while n.p(t) - n.q(t) > c for each point p
// of one and q of the other, the features are more than c apart: a direction that parts them now
// parts them until the first of a few linear functions falls to c, and that time is a quotient.
// There the direction is chosen anew, that of the closest points. A step is as long as the motion
// allows: two features that approach without turning are followed to their contact in one.
//
// Rounding, with u = 2^-53 and coordinates of at most one: points are off by u, their halves on the
// way down to `kDeepest` by less than 20u more, dot products with |n|_1 <= sqrt(3) by 6u, and so a
// gap at either end of the motion by less than 2 (21 sqrt(3) + 6) u < 90u. The quotient and the
// value at a time between the ends round by less than 16u of numbers up to 4. kGapRounding = 256u
// is more than both, and it is what c exceeds the separation by.
#pragma once

#include "motion/linear/trajectories.hpp"

namespace impinge::motion {

constexpr double kGapRounding = 0x1p-45;
// Gaps of found points are as certain as that; a search cannot come nearer.
constexpr double kNearest = 4 * kGapRounding;

struct Approach {
  double time;  // infinite if they never come that near
  double gap;   // then
};

class ApproachSearch {
 public:
  // In units of the trajectories: what counts as contact, and how much farther a gap may be that is
  // told as one, at least kNearest.
  ApproachSearch(FeaturePair pair, double separation, double tolerance)
      : pair_(pair),
        clear_(separation + kGapRounding * (1 + separation)),
        near_(clear_ + tolerance) {}

  // The features are farther apart than the separation at all times from `from` to the one found,
  // or to `until` if that is infinite; `from` itself may be found.
  Approach run(const Trajectories& motion, double from, double until) const {
    return run(motion.p, from, until, 0);
  }

  // Whether a gap is contact, as far as can be told.
  bool is_near(double gap) const { return gap <= near_; }
  // How far they are apart at a time.
  double gap(const Trajectories& motion, double time) const {
    Vector n;
    return nearest(motion.p, time, n);
  }

 private:
  using Points = double[2][4][3];

  Approach run(const Points& p, double from, double until, int depth) const;
  Approach run_parts(const Points& p, double from, double until, int depth) const;
  double nearest(const Points& p, double time, Vector& direction) const;
  double free_until(const Points& p, const Vector& direction, double time) const;

  const FeaturePair pair_;
  const double clear_, near_;
};

}  // namespace impinge::motion
