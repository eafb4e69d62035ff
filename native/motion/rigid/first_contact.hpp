// The first contact of two bodies in their whole motions, and whether it is certain.
#pragma once

#include <span>

#include "motion/rigid/impact.hpp"

namespace impinge::motion {

// Of the size of both bodies, where no tolerance is given.
constexpr double kDefaultTolerance = 0x1p-20;

double diagonal(const Bounds& bounds);

// Belongs to one thread.
class FirstContactSearch {
 public:
  // Up to a time; later contacts may be told or not.
  Impact find(const bvh::PreparedTree& a, std::span<const Segment> motion_a,
              const bvh::PreparedTree& b, std::span<const Segment> motion_b,
              const Question& question, double until, Ticker& ticker, int worker);
  const SearchCounters& counters() const { return search_.counters(); }

 private:
  Search search_;
};

}  // namespace impinge::motion
