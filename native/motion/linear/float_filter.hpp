// Which candidates certainly never meet, eight at a time in float32.
//
// One direction that parts two features at both ends of the motion parts them at all times between:
// the gap along it is linear for each pair of points. Any direction will do; that of the closest
// points at an end parts nine of ten candidates of a cloth.
//
// Rounding: a float of a point is off by kRounding in each coordinate, and the one that all are
// taken against cancels. With R the largest coordinate that is left, differences, products and sums
// are off by less than 10 (2^-24) R |n|_1 in a gap; 16 are allowed.
#pragma once

#include <cstddef>

#include "motion/linear/candidates.hpp"

namespace impinge::motion {

// Of eight candidates from the one given: bit for each that may come within the margin.
unsigned may_meet(const Encounter& encounter, const Candidates& candidates, std::size_t first);

}  // namespace impinge::motion
