#include "motion/linear/impacts.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "bindings/bound_tree.hpp"
#include "bindings/pairs.hpp"
#include "bindings/ticking.hpp"

namespace impinge::motion {
namespace {

using Quadruples = Given<double, -1, 4, 3>;
using TimeArray = NewArray<double, -1>;
using FlagArray = NewArray<bool, -1>;
using FourArray = NewArray<std::int32_t, -1, 4>;
using FewTimes = std::tuple<TimeArray::Array, FlagArray::Array, FlagArray::Array>;
using Columns = std::tuple<FourArray::Array, KindArray::Array, TimeArray::Array, FlagArray::Array,
                           FlagArray::Array, PairArray::Array, Counts>;

constexpr std::size_t kGrain = 64;

Limits limits_of(double separation, double tolerance) {
  check_length(separation, "separation");
  if (std::isnan(tolerance)) throw nb::value_error("the tolerance must be a number");
  return {separation, tolerance};
}

// Times, certain, at start.
FewTimes feature_impacts_py(const Quadruples& start, const Quadruples& end, bool edges,
                            double separation, double tolerance, int workers, nb::object tick) {
  const std::size_t n = start.shape(0);
  if (end.shape(0) != n) throw nb::value_error("start and end must have the same length");
  const Limits limits = limits_of(separation, tolerance);
  const Ticker::Callback callback = make_tick(std::move(tick));
  TimeArray times(n);
  FlagArray certain(n), at_start(n);
  {
    nb::gil_scoped_release release;
    Ticker ticker((n + kGrain - 1) / kGrain, callback);
    parallel_for(
        resolve_workers(workers), n, kGrain, [&](std::size_t i, std::size_t last, int worker) {
          for (; i < last; ++i) {
            if (i % kGrain == 0 && !ticker.pulse(worker)) return;
            Ends ends;
            for (std::size_t k = 0; k < 4; ++k) {
              ends.at[0][k] = start.data() + 12 * i + 3 * k;
              ends.at[1][k] = end.data() + 12 * i + 3 * k;
            }
            const Impact found =
                impact_of(edges ? FeaturePair::edge_edge : FeaturePair::vertex_face, ends, limits);
            times.data[i] = found.time;
            certain.data[i] = found.certain;
            at_start.data[i] = found.at_start;
          }
          ticker.done(worker);
        });
  }
  return {times.give({n}), certain.give({n}), at_start.give({n})};
}

// Bodies and what is asked about them, as it comes from Python.
struct Question {
  std::vector<MovingBody> bodies;
  BodyChoice choice;
  Limits limits;

  Question(const std::vector<const BoundTree*>& trees, const std::vector<Points>& starts,
           const std::vector<std::optional<Points>>& ends, const std::optional<IndexPairs>& pairs,
           const Indices& self_bodies, double separation, double tolerance)
      : choice(trees.size(), pairs, self_bodies), limits(limits_of(separation, tolerance)) {
    check_all(trees);
    if (starts.size() != trees.size() || ends.size() != trees.size()) {
      throw nb::value_error("one array of vertices per tree is needed, at the start and the end");
    }
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const Points& end = ends[i] ? *ends[i] : starts[i];
      const std::size_t n = trees[i]->tree().vertex_count();
      if (starts[i].shape(0) != n || end.shape(0) != n) {
        throw nb::value_error("vertices must be as many as those of the tree");
      }
      check_points(starts[i]);
      check_points(end);
      bodies.push_back({&trees[i]->tree(), starts[i].data(), end.data(), ends[i].has_value()});
    }
  }
  Encounters encounters() const { return {choice.only(), choice.self}; }
};

Counts counts_of(const ImpactCounters& counters) {
  Counts d;
  d["boxes_seconds"] = counters.sweep_seconds;
  d["broad_pairs"] = static_cast<double>(counters.body_pairs);
  d["leaf_pairs"] = static_cast<double>(counters.leaf_pairs);
  d["traverse_seconds"] = counters.candidate_seconds;
  d["candidates"] = static_cast<double>(counters.vertex_face + counters.edge_edge);
  d["edge_candidates"] = static_cast<double>(counters.edge_edge);
  d["undecided"] = static_cast<double>(counters.undecided);
  d["exact_seconds"] = counters.narrow_seconds;
  return d;
}

Columns columns_of(const Impacts& impacts) {
  const std::size_t n = impacts.found.size();
  FourArray features(4 * n);
  KindArray kinds(n);
  TimeArray times(n);
  FlagArray certain(n), at_start(n);
  PairArray bodies(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const FoundImpact& one = impacts.found[i];
    std::copy_n(one.ids, 4, &features.data[4 * i]);
    std::copy_n(one.body, 2, &bodies.data[2 * i]);
    kinds.data[i] = static_cast<std::uint8_t>(one.pair);
    times.data[i] = one.impact.time;
    certain.data[i] = one.impact.certain;
    at_start.data[i] = one.impact.at_start;
  }
  return {features.give({n, 4}),      kinds.give({n}),    times.give({n}),
          certain.give({n}),          at_start.give({n}), bodies.give({n, 2}),
          counts_of(impacts.counters)};
}

Columns impacts_py(const std::vector<const BoundTree*>& trees, const std::vector<Points>& starts,
                   const std::vector<std::optional<Points>>& ends,
                   const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
                   double separation, double tolerance, int workers, nb::object tick) {
  const Question q(trees, starts, ends, body_pairs, self_bodies, separation, tolerance);
  const Ticker::Callback callback = make_tick(std::move(tick));
  Impacts found;
  {
    nb::gil_scoped_release release;
    found = find_impacts(q.bodies, q.encounters(), q.limits, resolve_workers(workers), callback);
  }
  return columns_of(found);
}

std::tuple<double, Counts> free_step_py(const std::vector<const BoundTree*>& trees,
                                        const std::vector<Points>& starts,
                                        const std::vector<std::optional<Points>>& ends,
                                        const std::optional<IndexPairs>& body_pairs,
                                        const Indices& self_bodies, double separation,
                                        double tolerance, int workers, nb::object tick) {
  const Question q(trees, starts, ends, body_pairs, self_bodies, separation, tolerance);
  const Ticker::Callback callback = make_tick(std::move(tick));
  FreeStep found;
  {
    nb::gil_scoped_release release;
    found = find_free_step(q.bodies, q.encounters(), q.limits, resolve_workers(workers), callback);
  }
  return {found.time, counts_of(found.counters)};
}

}  // namespace
}  // namespace impinge::motion

namespace impinge {

void bind_impacts(nb::module_& m) {
  using namespace motion;
  using namespace nb::literals;
  m.def("feature_impacts", &feature_impacts_py, "start"_a, "end"_a, "edges"_a, "separation"_a,
        "tolerance"_a, "workers"_a, "tick"_a.none(),
        "Of vertices and faces, or of `edges`, (n, 4, 3) each: times, inf for none, whether they "
        "meet for certain, and whether at the start. A tolerance below 0 goes by the size.");
  m.def("linear_impacts", &impacts_py, "trees"_a, "starts"_a, "ends"_a, "body_pairs"_a.none(),
        "self_bodies"_a, "separation"_a, "tolerance"_a, "workers"_a, "tick"_a.none(),
        "Of bodies whose vertices move along lines, None for those at rest: features, kinds, "
        "times, certain, at start, bodies, counters. Trees may be of other places.");
  m.def("free_step", &free_step_py, "trees"_a, "starts"_a, "ends"_a, "body_pairs"_a.none(),
        "self_bodies"_a, "separation"_a, "tolerance"_a, "workers"_a, "tick"_a.none(),
        "Until when the motion is free for certain, and counters.");
}

}  // namespace impinge
