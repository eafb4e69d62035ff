// Whether a face bounds the solid at a place within it, exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "bvh/tree/tree.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

// A point of a face: its first corner and shares of the ways to the others, multiples of 2^-44.
struct PlaceInFace {
  double share[2];

  PlaceInFace(double s, double t) : share{rounded(s), rounded(t)} {}

 private:
  static double rounded(double x) { return std::round(x * 0x1p44) * 0x1p-44; }
};

// Whether there is solid on one side only of the face in a slot at this place; nothing when another
// face passes there. Counts along a ray from the place itself, which is no point of float64, in
// integers that hold it.
std::optional<bool> bounds_solid_at(const bvh::Tree& tree, std::size_t slot,
                                    const PlaceInFace& place, Sense sense, int axis);

}  // namespace impinge::solids
