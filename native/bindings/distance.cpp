#include "bvh/distance/distance.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/ticking.hpp"
#include "geometry/triangle_distance.hpp"

namespace impinge {
namespace {

using Triangles = nb::ndarray<const double, nb::shape<-1, 3, 3>, nb::c_contig, nb::device::cpu>;
using CounterDict = nb::typed<nb::dict, nb::str, double>;
using Values = NewArray<double, -1>;
using PointPairs = NewArray<double, -1, 2, 3>;
using FacePairs = NewArray<std::int32_t, -1, 2>;

std::tuple<Values::Array, PointPairs::Array> triangle_distances(const Triangles& a,
                                                                const Triangles& b) {
  const std::size_t n = a.shape(0);
  if (b.shape(0) != n) throw nb::value_error("a and b must have the same length");
  Values values(n);
  PointPairs points(6 * n);
  {
    nb::gil_scoped_release release;
    const auto* p = reinterpret_cast<const Triangle*>(a.data());
    const auto* q = reinterpret_cast<const Triangle*>(b.data());
    for (std::size_t i = 0; i < n; ++i) {
      const Nearest nearest = triangle_distance(p[i], q[i]);
      values.data[i] = nearest.value;
      std::copy_n(&nearest.points[0][0], 6, &points.data[6 * i]);
    }
  }
  return {values.give({n}), points.give({n, 2, 3})};
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
  if (hints) check_hints(*hints, n, a.tree(), b.tree());
  const Ticker::Callback callback = make_tick(std::move(tick));
  bvh::Distances found;
  Values values(n);
  PointPairs points(6 * n);
  FacePairs pairs(2 * n);
  {
    nb::gil_scoped_release release;
    found =
        bvh::distance_poses(a.prepared(), b.prepared(), poses.data(), n, upper_bound,
                            hints ? hints->data() : nullptr, resolve_workers(workers), callback);
    for (std::size_t i = 0; i < n; ++i) {
      const bvh::Closest& closest = found.closest[i];
      values.data[i] = closest.value;
      pairs.data[2 * i] = closest.face_a;
      pairs.data[2 * i + 1] = closest.face_b;
      const double nowhere = std::numeric_limits<double>::quiet_NaN();
      if (closest.face_a < 0) {
        std::fill_n(&points.data[6 * i], 6, nowhere);
      } else {
        std::copy_n(&closest.points[0][0], 6, &points.data[6 * i]);
      }
    }
  }
  CounterDict counters;
  counters["node_pairs"] = found.counters.node_pairs;
  counters["leaf_pairs"] = found.counters.leaf_pairs;
  counters["triangle_pairs"] = found.counters.triangle_pairs;
  return {values.give({n}), points.give({n, 2, 3}), pairs.give({n, 2}), counters};
}

}  // namespace

void bind_distance(nb::module_& m) {
  using namespace nb::literals;
  m.def("triangle_distances", &triangle_distances, "a"_a, "b"_a,
        "Distances (n,) of pairs of triangles (n, 3, 3) and their closest points (n, 2, 3).");
  m.def("bvh_distances", &mesh_distances, "a"_a, "b"_a, "poses"_a, "upper_bound"_a,
        "hints"_a.none(), "workers"_a, "tick"_a.none(),
        "Distance of a and b in each pose: (values, points, pairs, counters); beyond the upper "
        "bound infinite, NaN and -1. Hints (m, 2) are pairs of faces to begin with.");
}

}  // namespace impinge
