#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/pairs.hpp"
#include "bindings/ticking.hpp"
#include "motion/rigid/impact.hpp"

namespace impinge {
namespace {

using SegmentRows = Given<double, -1, motion::kSegmentNumbers>;
using Values = NewArray<double, -1>;
using Vectors = NewArray<double, -1, 3>;
using Poses = NewArray<double, -1, 4, 4>;
using ImpactColumns = std::tuple<Values::Array, PairArray::Array, Vectors::Array, Vectors::Array,
                                 Values::Array, KindArray::Array, KindArray::Array, Counts>;

// Finite numbers, in the order of time; what they are else is for Python to see to.
motion::Motions motions_of(const SegmentRows& rows, const Indices& ends) {
  motion::Motions motions;
  const auto* first = reinterpret_cast<const motion::Segment*>(rows.data());
  motions.segments.assign(first, first + rows.shape(0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!(std::fabs(rows.data()[i]) <= kLargest)) throw nb::value_error("segments must be finite");
  }
  std::size_t before = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto end = static_cast<std::size_t>(ends(i));
    if (ends(i) < 0 || end <= before || end > rows.shape(0)) {
      throw nb::value_error("each motion needs a segment");
    }
    for (std::size_t k = before; k < end; ++k) {
      const motion::Segment& one = motions.segments[k];
      if (one.begin > one.end || (k > before && motions.segments[k - 1].end != one.begin)) {
        throw nb::value_error("segments must follow each other");
      }
    }
    motions.ends.push_back(before = end);
  }
  if (motions.ends.empty() || before != rows.shape(0)) {
    throw nb::value_error("each segment needs a motion");
  }
  return motions;
}

void check_counts(const std::vector<const motion::Motions*>& motions) {
  std::size_t most = 1;
  for (const motion::Motions* one : motions) most = std::max(most, one->count());
  for (const motion::Motions* one : motions) {
    if (one->count() != 1 && one->count() != most) {
      throw nb::value_error("bodies need one motion, or all as many");
    }
  }
}

template <class Row, class Get>
ImpactColumns columns_of(const std::vector<Row>& rows, const Get& get,
                         const motion::SearchCounters& done) {
  const std::size_t n = rows.size();
  Values times(n), gaps(n);
  PairArray pairs(2 * n);
  Vectors points(3 * n), normals(3 * n);
  KindArray starts(n), proofs(n);
  for (std::size_t i = 0; i < n; ++i) {
    const motion::Impact& impact = get(rows[i]);
    times.data[i] = impact.time;
    gaps.data[i] = impact.gap;
    pairs.data[2 * i] = impact.face_a;
    pairs.data[2 * i + 1] = impact.face_b;
    std::copy_n(impact.point, 3, &points.data[3 * i]);
    std::copy_n(impact.normal, 3, &normals.data[3 * i]);
    starts.data[i] = static_cast<std::uint8_t>(impact.start);
    proofs.data[i] = static_cast<std::uint8_t>(impact.proof);
  }
  Counts counts;
  counts["node_pairs"] = static_cast<double>(done.node_pairs);
  counts["node_steps"] = static_cast<double>(done.node_steps);
  counts["leaf_pairs"] = static_cast<double>(done.leaf_pairs);
  counts["triangle_steps"] = static_cast<double>(done.triangle_steps);
  return {times.give({n}), pairs.give({n, 2}), points.give({n, 3}), normals.give({n, 3}),
          gaps.give({n}),  starts.give({n}),   proofs.give({n}),    std::move(counts)};
}

ImpactColumns impacts_py(const BoundTree& a, const BoundTree& b, const SegmentRows& segments_a,
                         const Indices& ends_a, const SegmentRows& segments_b,
                         const Indices& ends_b, double tolerance, bool touching, int workers,
                         nb::object tick) {
  const motion::Motions motions_a = motions_of(segments_a, ends_a);
  const motion::Motions motions_b = motions_of(segments_b, ends_b);
  check_counts({&motions_a, &motions_b});
  const Ticker::Callback callback = make_tick(std::move(tick));
  motion::Impacts found;
  {
    nb::gil_scoped_release release;
    found = motion::impacts(a.prepared(), motions_a, b.prepared(), motions_b, {tolerance, touching},
                            resolve_workers(workers), callback);
  }
  return columns_of(
      found.impacts, [](const motion::Impact& one) -> const motion::Impact& { return one; },
      found.counters);
}

std::tuple<PairArray::Array, ImpactColumns> scene_impacts_py(
    const std::vector<const BoundTree*>& trees, const std::vector<SegmentRows>& segments,
    const std::vector<Indices>& ends, const std::optional<IndexPairs>& body_pairs,
    const Indices& none, double tolerance, bool touching, int workers, nb::object tick) {
  check_all(trees);
  if (segments.size() != trees.size() || ends.size() != trees.size()) {
    throw nb::value_error("one row of segments and of ends per tree is needed");
  }
  const BodyChoice choice(trees.size(), body_pairs, none);
  std::vector<const bvh::PreparedTree*> prepared;
  std::vector<motion::Motions> motions;
  std::vector<const motion::Motions*> all;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    prepared.push_back(&trees[i]->prepared());
    motions.push_back(motions_of(segments[i], ends[i]));
  }
  for (const motion::Motions& one : motions) all.push_back(&one);
  check_counts(all);
  const Ticker::Callback callback = make_tick(std::move(tick));
  motion::SceneImpacts found;
  {
    nb::gil_scoped_release release;
    found = motion::scene_impacts(prepared, motions, choice.only(), {tolerance, touching},
                                  resolve_workers(workers), callback);
  }
  const std::size_t n = found.impacts.size();
  PairArray bodies(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const motion::SceneImpact& one = found.impacts[i];
    const bool known = one.impact.face_a >= 0;
    bodies.data[2 * i] = known ? static_cast<std::int32_t>(one.bodies.a) : -1;
    bodies.data[2 * i + 1] = known ? static_cast<std::int32_t>(one.bodies.b) : -1;
  }
  return {bodies.give({n, 2}),
          columns_of(
              found.impacts,
              [](const motion::SceneImpact& one) -> const motion::Impact& { return one.impact; },
              found.counters)};
}

Poses::Array poses_py(const SegmentRows& segments, const Given<double, -1>& times) {
  const Indices none;
  const auto* rows = reinterpret_cast<const motion::Segment*>(segments.data());
  const std::size_t count = segments.shape(0), n = times.shape(0);
  if (count == 0) throw nb::value_error("a motion needs a segment");
  Poses poses(16 * n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t k = 0;
    while (k + 1 < count && rows[k].end < times(i)) ++k;
    const motion::State state = motion::state_at(rows[k], times(i));
    double* pose = &poses.data[16 * i];
    std::copy_n(&state.pose.m[0][0], 12, pose);
    pose[12] = pose[13] = pose[14] = 0;
    pose[15] = 1;
  }
  return poses.give({n, 4, 4});
}

}  // namespace

void bind_motion(nb::module_& m) {
  using namespace nb::literals;
  m.def("motion_poses", &poses_py, "segments"_a, "times"_a,
        "Poses (m, 4, 4) of a motion at times (m,).");
  m.def("motion_impacts", &impacts_py, "a"_a, "b"_a, "segments_a"_a, "ends_a"_a, "segments_b"_a,
        "ends_b"_a, "tolerance"_a, "touching"_a, "workers"_a, "tick"_a.none(),
        "When a and b first meet, in each of many motions: (times, pairs, points, normals, gaps, "
        "starts, proofs, counters); infinite and -1 where they do not.");
  m.def("scene_motion_impacts", &scene_impacts_py, "trees"_a, "segments"_a, "ends"_a,
        "body_pairs"_a.none(), "self_bodies"_a, "tolerance"_a, "touching"_a, "workers"_a,
        "tick"_a.none(),
        "The earliest of all pairs of bodies, in each of many motions: (bodies, the same).");
}

}  // namespace impinge
