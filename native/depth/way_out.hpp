// A translation that parts two solids.
#pragma once

#include <optional>
#include <vector>

#include "geometry/vec.hpp"
#include "solids/solid.hpp"

namespace impinge::depth {

// A direction in which b may leave a, and how far it has to go at least.
struct Way {
  Vector unit;
  double length;
};

// The translation of b along the way, a few roundings longer if need be, after which no inner
// points are common; none if it needs more.
std::optional<Vector> verified(const solids::PlacedSolid& a, const solids::Solid& b,
                               const Way& way);

// How long a way along an axis is after which their boxes have no inner points in common. No common
// point is deeper than any way that parts the solids is long.
double way_out_of_box(const solids::Solid& a, const solids::Solid& b);

// The shortest that was found: along the given ways, and along those of the convex hulls. At least
// `least` long, as no shorter one can be.
Vector way_out(const solids::Solid& a, const solids::Solid& b, const std::vector<Way>& ways,
               double least);

}  // namespace impinge::depth
