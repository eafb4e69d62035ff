#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/largest.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bvh_counters.hpp"
#include "bindings/closest_columns.hpp"
#include "bindings/pairs.hpp"
#include "bindings/poses.hpp"
#include "bindings/scene_bodies.hpp"
#include "bvh/distance/distance_configurations.hpp"
#include "bvh/pair/collide_configurations.hpp"

namespace impinge {
namespace {

using Trees = std::vector<const BoundTree*>;

// (count, 4, 4) poses of a body, each row by row, at any distance from each other.
using Column = nb::ndarray<const double, nb::shape<-1, 4, 4>, nb::device::cpu>;
using Columns = std::vector<Column>;

bvh::Configurations configurations_of(const Trees& trees, const Indices& moved,
                                      const Columns& poses, std::size_t count) {
  if (poses.size() != moved.shape(0)) throw nb::value_error("each moved body needs its poses");
  bvh::Configurations result{{}, count, kLargest};
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (moved(i) < 0 || static_cast<std::size_t>(moved(i)) >= trees.size() ||
        (i > 0 && moved(i) <= moved(i - 1))) {
      throw nb::value_error("moved bodies must be sorted indices of bodies");
    }
    const Column& own = poses[i];
    const bool in_rows = count == 0 || (own.stride(1) == 4 && own.stride(2) == 1);
    if (own.shape(0) != count || !in_rows) {
      throw nb::value_error("one pose for each configuration is needed, its numbers in a row");
    }
    const auto body = static_cast<std::uint32_t>(moved(i));
    const double reach = reach_of(trees[body]->tree().bounds());
    result.moved.push_back({body, own.data(), own.stride(0), reach});
  }
  return result;
}

// A question about trees in their places; call(asked, threads, callback) without the GIL.
template <class Call>
void ask(const Trees& trees, const SceneBodies<bvh::Body>& scene,
         const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
         const Indices& moved, const Columns& poses, std::size_t count, int workers,
         nb::object tick, const Call& call) {
  const BodyChoice choice(trees.size(), body_pairs, self_bodies);
  const bvh::Configurations configurations = configurations_of(trees, moved, poses, count);
  const Ticker::Callback callback = make_tick(std::move(tick));
  nb::gil_scoped_release release;
  const bvh::Asked asked(scene.bodies, choice.only(), choice.self, configurations);
  call(asked, resolve_workers(workers), callback);
}

NewArray<bool, -1>::Array touch(const Trees& trees, const Placements& placements,
                                const std::optional<IndexPairs>& body_pairs,
                                const Indices& self_bodies, const Indices& moved,
                                const Columns& poses, std::size_t count, bool touching,
                                bool report_duplicates, int workers, nb::object tick,
                                double margin) {
  const SceneBodies<bvh::Body> scene = scene_bodies(trees, placements);
  const Rule rule{touching, report_duplicates, true, margin};
  NewArray<bool, -1> touches(count);
  ask(trees, scene, body_pairs, self_bodies, moved, poses, count, workers, std::move(tick),
      [&](const bvh::Asked& asked, int threads, const Ticker::Callback& callback) {
        bvh::touch_configurations(asked, rule, threads, callback, touches.data.get());
      });
  return touches.give({count});
}

IndexArray poses_of(const std::vector<std::size_t>& run_ends) {
  const std::size_t n = run_ends.empty() ? 0 : run_ends.back();
  IndexArray pose(n);
  for (std::size_t run = 0, i = 0; run < run_ends.size(); ++run) {
    for (; i < run_ends[run]; ++i) pose.data[i] = static_cast<std::int32_t>(run);
  }
  return pose;
}

using Pairs =
    std::tuple<PairArray::Array, PairArray::Array, KindArray::Array, IndexArray::Array, Counts>;

Pairs collide(const Trees& trees, const Placements& placements,
              const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
              const Indices& moved, const Columns& poses, std::size_t count, bool touching,
              bool report_duplicates, bool first, int workers, nb::object tick, double margin,
              std::optional<std::size_t> max_pairs) {
  const SceneBodies<bvh::Body> scene = scene_bodies(trees, placements);
  const Rule rule{touching, report_duplicates, first, margin, max_pairs.value_or(Rule().most)};
  Found<bvh::Counters> found;
  std::optional<SceneColumns> columns;
  std::optional<IndexArray> pose;
  ask(trees, scene, body_pairs, self_bodies, moved, poses, count, workers, std::move(tick),
      [&](const bvh::Asked& asked, int threads, const Ticker::Callback& callback) {
        found = bvh::collide_configurations(asked, rule, threads, callback);
        columns.emplace(found.keys, scene.ends, threads);
        pose.emplace(poses_of(found.run_ends));
      });
  const Counts counts = counters_of(found, [&](Counts& d) { count_own(found.counters, d); });
  auto [pairs, bodies, kinds, all] = columns->give(counts);
  return {pairs, bodies, kinds, pose->give({columns->n}), all};
}

using DistanceRows = std::tuple<PairArray::Array, ClosestColumns::Values::Array,
                                ClosestColumns::Points::Array, PairArray::Array, IndexArray::Array>;

DistanceRows distances(const Trees& trees, const Placements& placements,
                       const std::optional<IndexPairs>& body_pairs, const Indices& none,
                       const Indices& moved, const Columns& poses, std::size_t count,
                       double upper_bound, int workers, nb::object tick) {
  const SceneBodies<bvh::Body> scene = scene_bodies(trees, placements);
  std::optional<ClosestColumns> columns;
  std::optional<PairArray> bodies;
  std::optional<IndexArray> pose;
  ask(trees, scene, body_pairs, none, moved, poses, count, workers, std::move(tick),
      [&](const bvh::Asked& asked, int threads, const Ticker::Callback& callback) {
        const auto found = bvh::distance_configurations(asked, upper_bound, threads, callback);
        columns.emplace(found.closest);
        bodies.emplace(ids_of(found.pairs));
        pose.emplace(poses_of(found.run_ends));
      });
  const std::size_t n = columns->n;
  return {bodies->give({n, 2}), columns->values.give({n}), columns->points.give({n, 2, 3}),
          columns->pairs.give({n, 2}), pose->give({n})};
}

}  // namespace

void bind_configurations(nb::module_& m) {
  using namespace nb::literals;
  m.def("configurations_collide", &touch, "trees"_a, "placements"_a.none(), "body_pairs"_a.none(),
        "self_bodies"_a, "moved"_a, "poses"_a, "count"_a, "touching"_a, "report_duplicates"_a,
        "workers"_a, "tick"_a.none(), "margin"_a = 0.0,
        "Whether bodies collide or are within a margin in each of `count` configurations, with "
        "poses (count, 4, 4) of each body that moves.");
  m.def("bvh_configurations", &collide, "trees"_a, "placements"_a.none(), "body_pairs"_a.none(),
        "self_bodies"_a, "moved"_a, "poses"_a, "count"_a, "touching"_a, "report_duplicates"_a,
        "first"_a, "workers"_a, "tick"_a.none(), "margin"_a = 0.0, "max_pairs"_a = nb::none(),
        "The pairs of each: (pairs, bodies, kinds, pose, counters), sorted.");
  m.def("configurations_distances", &distances, "trees"_a, "placements"_a.none(),
        "body_pairs"_a.none(), "self_bodies"_a, "moved"_a, "poses"_a, "count"_a, "upper_bound"_a,
        "workers"_a, "tick"_a.none(),
        "Distances of bodies that are within the upper bound in each: (bodies, values, points, "
        "pairs, pose).");
}

}  // namespace impinge
