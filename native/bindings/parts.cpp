// What a check of an assembly asks of all its parts at once.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bound_solid.hpp"
#include "bindings/mesh_checks.hpp"
#include "bindings/pairs.hpp"
#include "bindings/ticking.hpp"
#include "bvh/distance/distance.hpp"
#include "depth/core.hpp"
#include "mesh/sagittas.hpp"

namespace impinge {
namespace {

using Numbers = NewArray<double, -1>;
using Boxes = Given<double, -1, 2, 3>;
using Limits = Given<double, -1>;

PairArray::Array meeting_boxes_py(const Boxes& boxes, int workers) {
  std::vector<BodyPair> found;
  {
    nb::gil_scoped_release release;
    std::vector<Bounds> bounds(boxes.shape(0));
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      std::copy_n(boxes.data() + 6 * i, 3, bounds[i].lo);
      std::copy_n(boxes.data() + 6 * i + 3, 3, bounds[i].hi);
    }
    found = broad_phase(bounds, nullptr, resolve_workers(workers));
  }
  PairArray pairs(2 * found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    pairs.data[2 * i] = static_cast<std::int32_t>(found[i].a);
    pairs.data[2 * i + 1] = static_cast<std::int32_t>(found[i].b);
  }
  return pairs.give({found.size(), 2});
}

// Side by side when there are enough of them for all workers.
std::vector<std::unique_ptr<BoundSolid>> build_solids_py(
    const std::vector<nb::typed<nb::object, BoundTree>>& trees, int workers) {
  std::vector<std::unique_ptr<BoundSolid>> solids;
  for (const auto& tree : trees) solids.push_back(std::make_unique<BoundSolid>(tree));
  nb::gil_scoped_release release;
  const int threads = resolve_workers(workers);
  const bool apart = solids.size() >= static_cast<std::size_t>(threads);
  parallel_for(apart ? threads : 1, solids.size(), 1, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) solids[i]->build(apart ? 1 : threads);
  });
  return solids;
}

Numbers::Array sagittas_py(const Points& vertices, const Faces& faces, int workers) {
  check_mesh(vertices, faces);
  std::vector<double> found;
  {
    nb::gil_scoped_release release;
    found = sagittas_of(vertices.data(), vertices.shape(0), faces.data(), faces.shape(0),
                        resolve_workers(workers));
  }
  return Numbers::of(std::move(found), {faces.shape(0)});
}

bool has_core_py(const BoundSolid& solid, double limit) {
  check_length(limit, "limit");
  const solids::Solid& filled = solid.filled();
  nb::gil_scoped_release release;
  return depth::has_core(filled, limit);
}

std::tuple<Numbers::Array, NewArray<double, -1, 2, 3>::Array> pair_distances_py(
    const std::vector<const BoundTree*>& trees, const IndexPairs& pairs, const Limits& bounds,
    int workers, nb::object tick) {
  const std::vector<BodyPair> chosen = body_pairs_of(pairs, trees.size());
  const std::size_t n = chosen.size();
  if (bounds.shape(0) != n) throw nb::value_error("one bound per pair is needed");
  const Ticker::Callback callback = make_tick(std::move(tick));
  Numbers values(n);
  NewArray<double, -1, 2, 3> points(6 * n);
  {
    nb::gil_scoped_release release;
    const Ticker::Callback quiet;
    const double at_rest[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    Ticker ticker(n, callback);
    parallel_for(resolve_workers(workers), n, 1, [&](std::size_t i, std::size_t end, int worker) {
      for (; i < end; ++i) {
        if (!ticker.pulse(worker)) return;
        const auto [a, b] = chosen[i];
        const auto found = bvh::distance_poses(trees[a]->prepared(), trees[b]->prepared(), at_rest,
                                               1, bounds.data()[i], nullptr, 1, quiet);
        const bvh::Closest& closest = found.closest[0];
        values.data[i] = closest.value;
        if (closest.face_a < 0) {
          std::fill_n(&points.data[6 * i], 6, std::numeric_limits<double>::quiet_NaN());
        } else {
          std::copy_n(&closest.points[0][0], 6, &points.data[6 * i]);
        }
        ticker.done(worker);
      }
    });
  }
  return {values.give({n}), points.give({n, 2, 3})};
}

}  // namespace

void bind_parts(nb::module_& m) {
  using namespace nb::literals;
  m.def("meeting_boxes", &meeting_boxes_py, "boxes"_a, "workers"_a = 0,
        "Pairs (k, 2), sorted, of boxes (n, 2, 3) that meet.");
  m.def("build_solids", &build_solids_py, "trees"_a, "workers"_a = 0,
        "The solid that the mesh of each tree encloses.");
  m.def("sagittas", &sagittas_py, "vertices"_a, "faces"_a, "workers"_a = 0,
        "How far each face (m,) may be from the round surface that it stands for.");
  m.def("has_core", &has_core_py, "solid"_a, "limit"_a,
        "Whether a solid at rest has points farther than the limit from its boundary.");
  m.def("pair_distances", &pair_distances_py, "trees"_a, "pairs"_a, "bounds"_a, "workers"_a,
        "tick"_a.none(),
        "Distances (k,) and closest points (k, 2, 3) of pairs of trees at rest; beyond its bound "
        "a distance is infinite.");
}

}  // namespace impinge
