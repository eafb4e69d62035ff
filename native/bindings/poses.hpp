// Poses as they come from Python: checked, and copied so that nobody changes them meanwhile.
#pragma once

#include <algorithm>
#include <cmath>

#include "bindings/arrays.hpp"
#include "geometry/frame.hpp"
#include "geometry/pose_fits.hpp"

namespace impinge {

// The size of the largest coordinate in a box; 0 of nothing.
inline double reach_of(const Bounds& bounds) {
  double reach = 0;
  for (int k = 0; k < 3; ++k) reach = std::max({reach, -bounds.lo[k], bounds.hi[k]});
  return std::isfinite(reach) ? reach : 0;
}

// A ValueError if one of the poses moves what is in the box beyond what exact tests can take.
void check_poses(const double* poses, std::size_t count, const Bounds& bounds);
inline void check_poses(const Matrices& poses, const Bounds& bounds) {
  check_poses(poses.data(), poses.shape(0), bounds);
}

// Copies the one pose of float64 numbers (1, 4, 4) row by row; false for any other object.
bool read_pose(nb::handle array, double (&pose)[16]);

}  // namespace impinge
