// Principal axes of a cluster.
#pragma once

#include <cstdint>
#include <span>

#include "cdfc/members.hpp"

namespace impinge::cdfc {

// Rows are unit vectors: the direction in which points spread most, then the next, right-handed.
struct Axes {
  float row[3][3];
};

// Of the covariance of some of the points. The largest component of the first two axes is positive.
Axes principal_axes(const Balls& balls, std::span<const std::uint32_t> chosen);

}  // namespace impinge::cdfc
