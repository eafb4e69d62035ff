// When two features meet: the time from certified steps, whether they meet at all from signs.
#pragma once

#include "motion/linear/trajectories.hpp"

namespace impinge::motion {

struct Limits {
  double separation;  // what counts as contact, 0 for the surfaces themselves
  double tolerance;   // how much farther they may be at the time told; negative: a part of the size
};

// Where no tolerance is given: of the power of two above the size of all four trajectories, so at
// most twice that of the size.
constexpr double kUsualTolerance = 0x1p-21;

struct Impact {
  double time;    // never later than the first contact; infinite for none
  bool certain;   // whether there is a contact for certain
  bool at_start;  // and already at time 0
};

// Without a separation it is exact whether they meet.
Impact impact_of(FeaturePair pair, const Ends& ends, const Limits& limits);

// They are apart, certainly, from time 0 to the one given; that is at most `until`. Features that
// are apart at the start, certainly, are so for some time.
double free_time(FeaturePair pair, const Ends& ends, const Limits& limits, double until);

}  // namespace impinge::motion
