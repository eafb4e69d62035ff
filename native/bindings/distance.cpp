#include "bvh/distance/distance.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/closest_columns.hpp"
#include "bindings/pairs.hpp"
#include "bindings/poses.hpp"
#include "bindings/scene_bodies.hpp"
#include "bindings/ticking.hpp"
#include "geometry/triangle_distance.hpp"
#include "geometry/within.hpp"

namespace impinge {
namespace {

using Triangles = Given<double, -1, 3, 3>;
using CounterDict = nb::typed<nb::dict, nb::str, double>;
using Values = NewArray<double, -1>;
using PointPairs = NewArray<double, -1, 2, 3>;
using FacePairs = NewArray<std::int32_t, -1, 2>;
using Answers = NewArray<std::uint8_t, -1>;

constexpr std::size_t kGrain = 512;

std::size_t common_length(const Triangles& a, const Triangles& b) {
  if (b.shape(0) != a.shape(0)) throw nb::value_error("a and b must have the same length");
  return a.shape(0);
}

const Triangle* triangles(const Triangles& t) {
  return reinterpret_cast<const Triangle*>(t.data());
}

std::tuple<Values::Array, PointPairs::Array> triangle_distances(const Triangles& a,
                                                                const Triangles& b, int workers) {
  const std::size_t n = common_length(a, b);
  Values values(n);
  PointPairs points(6 * n);
  {
    nb::gil_scoped_release release;
    const Triangle *p = triangles(a), *q = triangles(b);
    parallel_for(resolve_workers(workers), n, kGrain, [&](std::size_t i, std::size_t end, int) {
      for (; i < end; ++i) {
        const Nearest nearest = triangle_distance(p[i], q[i]);
        values.data[i] = nearest.value;
        std::copy_n(&nearest.points[0][0], 6, &points.data[6 * i]);
      }
    });
  }
  return {values.give({n}), points.give({n, 2, 3})};
}

Answers::Array triangles_within(const Triangles& a, const Triangles& b, double distance,
                                bool exactly) {
  const std::size_t n = common_length(a, b);
  Answers answers(n);
  {
    nb::gil_scoped_release release;
    const Triangle *p = triangles(a), *q = triangles(b);
    for (std::size_t i = 0; i < n; ++i) {
      const Answer answer = exactly ? (within(p[i], q[i], distance) ? Answer::yes : Answer::no)
                                    : surely_within(p[i], q[i], distance);
      answers.data[i] = static_cast<std::uint8_t>(answer);
    }
  }
  return answers.give({n});
}

void check_hints(const IndexPairs& hints, std::size_t poses, const bvh::Tree& a,
                 const bvh::Tree& b) {
  if (hints.shape(0) != poses) throw nb::value_error("one hint per pose is needed");
  for (std::size_t i = 0; i < poses; ++i) {
    if (hints(i, 0) >= static_cast<std::int64_t>(a.face_count()) ||
        hints(i, 1) >= static_cast<std::int64_t>(b.face_count()) ||
        (hints(i, 0) < 0) != (hints(i, 1) < 0)) {
      throw nb::value_error("hint out of range");
    }
  }
}

std::tuple<Values::Array, PointPairs::Array, FacePairs::Array, CounterDict> mesh_distances(
    const BoundTree& a, const BoundTree& b, const Matrices& poses, double upper_bound,
    const std::optional<IndexPairs>& hints, int workers, nb::object tick) {
  const std::size_t n = poses.shape(0);
  check_poses(poses, b.tree().bounds());
  if (hints) check_hints(*hints, n, a.tree(), b.tree());
  const Ticker::Callback callback = make_tick(std::move(tick));
  bvh::Distances found;
  std::optional<ClosestColumns> columns;
  {
    nb::gil_scoped_release release;
    found =
        bvh::distance_poses(a.prepared(), b.prepared(), poses.data(), n, upper_bound,
                            hints ? hints->data() : nullptr, resolve_workers(workers), callback);
    columns.emplace(found.closest);
  }
  CounterDict counters;
  counters["node_pairs"] = found.counters.node_pairs;
  counters["leaf_pairs"] = found.counters.leaf_pairs;
  counters["triangle_pairs"] = found.counters.triangle_pairs;
  return {columns->values.give({n}), columns->points.give({n, 2, 3}), columns->pairs.give({n, 2}),
          counters};
}

std::tuple<PairArray::Array, Values::Array, PointPairs::Array, FacePairs::Array> scene_distances(
    const std::vector<const BoundTree*>& trees, const Placements& placements,
    const std::optional<IndexPairs>& body_pairs, const Indices& none, double upper_bound,
    int workers, nb::object tick) {
  const SceneBodies<bvh::Body> scene = scene_bodies(trees, placements);
  const BodyChoice choice(trees.size(), body_pairs, none);
  const Ticker::Callback callback = make_tick(std::move(tick));
  bvh::PairDistances found;
  std::optional<ClosestColumns> columns;
  {
    nb::gil_scoped_release release;
    found = bvh::distance_pairs(scene.bodies, choice.only(), upper_bound, resolve_workers(workers),
                                callback);
    columns.emplace(found.closest);
  }
  const std::size_t n = found.pairs.size();
  auto bodies = ids_of(found.pairs);
  return {bodies.give({n, 2}), columns->values.give({n}), columns->points.give({n, 2, 3}),
          columns->pairs.give({n, 2})};
}

}  // namespace

void bind_distance(nb::module_& m) {
  using namespace nb::literals;
  m.def("triangles_within", &triangles_within, "a"_a, "b"_a, "distance"_a, "exactly"_a = true,
        "Whether triangles (n, 3, 3) that do not meet are within a distance: 0 or 1, exactly, or "
        "what float64 proves, with 2 for unknown.");
  m.def("scene_distances", &scene_distances, "trees"_a, "placements"_a.none(),
        "body_pairs"_a.none(), "self_bodies"_a, "upper_bound"_a, "workers"_a, "tick"_a.none(),
        "Distances of bodies that are within the upper bound: (bodies, values, points, pairs).");
  m.def("triangle_distances", &triangle_distances, "a"_a, "b"_a, "workers"_a = 1,
        "Distances (n,) of pairs of triangles (n, 3, 3) and their closest points (n, 2, 3).");
  m.def("bvh_distances", &mesh_distances, "a"_a, "b"_a, "poses"_a, "upper_bound"_a,
        "hints"_a.none(), "workers"_a, "tick"_a.none(),
        "Distance of a and b in each pose: (values, points, pairs, counters); beyond the upper "
        "bound infinite, NaN and -1. Hints (m, 2) are pairs of faces to begin with.");
}

}  // namespace impinge
