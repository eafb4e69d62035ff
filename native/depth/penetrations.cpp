// Overlaps of solids of any size, and of many pairs of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/pool.hpp"
#include "depth/penetration.hpp"
#include "depth/scaled_solid.hpp"
#include "solids/relation.hpp"

namespace impinge::depth {
namespace {

using solids::PlacedSolid;
using solids::Solid;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rounded away from what is between them.
double lower_times(double lower, int exponent) {
  const double rounded = std::ldexp(lower, exponent);
  return std::ldexp(rounded, -exponent) > lower ? std::nextafter(rounded, 0.0) : rounded;
}
double upper_times(double upper, int exponent) {
  const double rounded = std::ldexp(upper, exponent);
  return std::ldexp(rounded, -exponent) < upper ? std::nextafter(rounded, kInfinity) : rounded;
}

void scale(Penetration& found, int exponent) {
  found.lower = lower_times(found.lower, exponent);
  found.upper = upper_times(found.upper, exponent);
  solids::Measures& measures = found.measures;
  measures.volume = std::ldexp(measures.volume, 3 * exponent);
  for (int k = 0; k < 3; ++k) {
    for (double* one :
         {&found.point[k], &measures.centroid[k], &measures.bounds.lo[k], &measures.bounds.hi[k]}) {
      *one = std::ldexp(*one, exponent);
    }
  }
  for (Way& way : found.ways) way.length = std::ldexp(way.length, exponent);
}

std::vector<double> scaled(const double* values, std::size_t n, int exponent) {
  std::vector<double> all(values, values + (values ? n : 0));
  for (double& one : all) one = std::ldexp(one, exponent);
  return all;
}

// Of solids with coordinates of which some would vanish at the scale of the others.
Penetration barely_known(const Solid& a, const Solid& b, int workers,
                         const Ticker::Callback& tick) {
  // no depth is looked for
  const Goal goal{kInfinity};
  Penetration found = penetration_near_one(a, b, goal, {}, workers, tick);
  found.lower = 0;
  found.upper = way_out_of_box(a, b);
  found.within = 0;
  return found;
}

}  // namespace

Penetration penetration_of(const Solid& a, const Solid& b, const Goal& goal,
                           const Sagittas& sagittas, int workers, const Ticker::Callback& tick) {
  const double largest = std::max(largest_coordinate(a), largest_coordinate(b));
  const int exponent = exponent_to_one(largest);
  if (exponent == 0) return penetration_near_one(a, b, goal, sagittas, workers, tick);
  Penetration found;
  found.relation = relation_of(PlacedSolid(a, Pose()), PlacedSolid(b, Pose()), workers, tick);
  if (!found.is_overlap()) return found;
  const ScaledSolid near_a(a, exponent, workers), near_b(b, exponent, workers);
  if (!near_a.is_exact() || !near_b.is_exact()) {
    return barely_known(a, b, workers, tick);
  }
  Goal own = goal;
  own.limit = std::ldexp(goal.limit, exponent);
  const auto of_a = scaled(sagittas.a, a.rings().faces(), exponent);
  const auto of_b = scaled(sagittas.b, b.rings().faces(), exponent);
  Sagittas of_pair;
  if (sagittas.a) of_pair = {of_a.data(), of_b.data()};
  found = penetration_near_one(near_a.solid(), near_b.solid(), own, of_pair, workers, tick);
  scale(found, -exponent);
  return found;
}

std::vector<Penetration> penetrations_of(const std::vector<const Solid*>& solids,
                                         const std::vector<const double*>& sagittas,
                                         const std::vector<BodyPair>& pairs, const double* limits,
                                         const Goal& goal, int workers,
                                         const Ticker::Callback& tick) {
  std::vector<Penetration> found(pairs.size());
  const auto find = [&](std::size_t i, int threads, const Ticker::Callback& callback) {
    const auto [a, b] = pairs[i];
    Sagittas of_pair;
    if (!sagittas.empty()) of_pair = {sagittas[a], sagittas[b]};
    Goal own = goal;
    own.limit = limits[i];
    found[i] = penetration_of(*solids[a], *solids[b], own, of_pair, threads, callback);
  };
  if (pairs.size() == 1) {
    find(0, workers, tick);
    return found;
  }
  const Ticker::Callback quiet;
  Ticker ticker(pairs.size(), tick);
  parallel_for(workers, pairs.size(), 1, [&](std::size_t i, std::size_t end, int worker) {
    for (; i < end; ++i) {
      if (!ticker.pulse(worker)) return;
      find(i, 1, quiet);
      ticker.done(worker);
    }
  });
  return found;
}

}  // namespace impinge::depth
