#include "depth/core.hpp"

#include <limits>

#include "depth/core_search.hpp"

namespace impinge::depth {

bool has_core(const solids::Solid& solid, double limit) {
  DistanceTo to(solid), again(solid);
  if (!for_each_core_point(to, limit, [](const double*) { return false; })) return true;
  Bracket bracket(Goal{limit, 1.0});
  CoreSearch search(to, again, bracket, 0.0, std::numeric_limits<double>::infinity());
  search.run(solid.tree().tree().bounds(), 1);
  return bracket.upper() > limit;
}

}  // namespace impinge::depth
