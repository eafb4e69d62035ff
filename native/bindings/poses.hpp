// Poses as they come from Python: checked, and copied so that nobody changes them meanwhile.
#pragma once

#include "bindings/arrays.hpp"

namespace impinge {

// Finite, affine, and no coordinate of size `reach` is moved beyond `limit`.
bool pose_fits(const double* pose, double reach, double limit);

// Copies the one pose of float64 numbers (1, 4, 4) row by row; false for any other object.
bool read_pose(nb::handle array, double (&pose)[16]);

}  // namespace impinge
