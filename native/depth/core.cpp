#include "depth/core.hpp"

#include <cmath>
#include <limits>

#include "depth/core_search.hpp"
#include "depth/scaled_solid.hpp"

namespace impinge::depth {

namespace {

bool has_core_near_one(const solids::Solid& solid, double limit) {
  DistanceTo to(solid), again(solid);
  if (!for_each_core_point(to, limit, [](const double*) { return false; })) return true;
  Bracket bracket(Goal{limit, 1.0});
  CoreSearch search(to, again, bracket, 0.0, std::numeric_limits<double>::infinity());
  search.run(solid.tree().tree().bounds(), 1);
  return bracket.upper() > limit;
}

}  // namespace

bool has_core(const solids::Solid& solid, double limit) {
  const int exponent = exponent_to_one(largest_coordinate(solid));
  if (exponent == 0) return has_core_near_one(solid, limit);
  const ScaledSolid scaled(solid, exponent, 1);
  return !scaled.is_exact() || has_core_near_one(scaled.solid(), std::ldexp(limit, exponent));
}

}  // namespace impinge::depth
