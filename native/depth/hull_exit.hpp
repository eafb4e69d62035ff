// The shortest way out of each other for the convex hulls of two meshes.
//
// It is the point closest to zero on the surface of the hull of all differences a - b. A polytope
// within that hull is grown at its closest face until that is one of the hull (van den Bergen's
// expanding polytope).
#pragma once

#include "bvh/tree/tree.hpp"
#include "geometry/vec.hpp"

namespace impinge::depth {

// A unit direction in which b leaves the hull of a on the shortest way, within rounding; zero when
// the differences are flat.
Vector hull_exit(const bvh::Tree& a, const bvh::Tree& b);

// How far b must go along a unit direction until a plane is between them.
double exit_length(const bvh::Tree& a, const bvh::Tree& b, const Vector& along);

}  // namespace impinge::depth
