#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/largest.hpp"
#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/bvh_counters.hpp"
#include "bindings/checks.hpp"
#include "bindings/pairs.hpp"
#include "bindings/poses.hpp"
#include "bindings/scene_bodies.hpp"
#include "bindings/ticking.hpp"
#include "bvh/pair/collide.hpp"
#include "bvh/pair/near_parts.hpp"
#include "bvh/pair/set_aside.hpp"

namespace impinge {
namespace {

bool collides_scene_py(const std::vector<const BoundTree*>& trees, const Placements& placements,
                       const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
                       bool touching, bool report_duplicates, int workers, nb::object tick,
                       double margin) {
  const SceneBodies<bvh::Body> scene = scene_bodies(trees, placements);
  const BodyChoice choice(trees.size(), body_pairs, self_bodies);
  const Rule rule{touching, report_duplicates, true, margin};
  const Ticker::Callback callback = make_tick(std::move(tick));
  nb::gil_scoped_release release;
  return bvh::collides_scene(scene.bodies, choice.only(), choice.self, rule,
                             resolve_workers(workers), callback);
}

ScenePairs collide_scene_py(const std::vector<const BoundTree*>& trees,
                            const Placements& placements,
                            const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
                            bool touching, bool report_duplicates, bool first, int workers,
                            nb::object tick, double margin, std::optional<std::size_t> max_pairs) {
  const SceneBodies<bvh::Body> scene = scene_bodies(trees, placements);
  const BodyChoice choice(trees.size(), body_pairs, self_bodies);
  const Rule rule{touching, report_duplicates, first, margin, max_pairs.value_or(Rule().most)};
  const auto ask = [&](int threads, const Ticker::Callback& callback) {
    return bvh::collide_scene(scene.bodies, choice.only(), choice.self, rule, threads, callback);
  };
  return scene_pairs(scene.ends, workers, std::move(tick), ask, count_own);
}

PosePairs collide_poses_py(const BoundTree& a, const BoundTree& b, const Matrices& poses,
                           bool touching, bool first, int workers, nb::object tick, double margin,
                           std::optional<std::size_t> max_pairs) {
  const Rule rule{touching, false, first, margin, max_pairs.value_or(Rule().most)};
  check_poses(poses, b.tree().bounds());
  const auto ask = [&](int threads, const Ticker::Callback& callback) {
    return bvh::collide_poses(a.prepared(), b.prepared(), poses.data(), poses.shape(0), rule,
                              threads, callback);
  };
  return pose_pairs(a.tree().face_count(), b.tree().face_count(), workers, std::move(tick), ask,
                    count_own);
}

NewArray<bool, -1>::Array touch_poses_py(const BoundTree& a, const BoundTree& b,
                                         const Matrices& poses, bool touching, int workers,
                                         nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t count = poses.shape(0);
  check_poses(poses, b.tree().bounds());
  NewArray<bool, -1> touches(count);
  {
    nb::gil_scoped_release release;
    bvh::touch_poses(a.prepared(), b.prepared(), poses.data(), count, {touching, false, true},
                     resolve_workers(workers), callback, touches.data.get());
  }
  return touches.give({count});
}

std::vector<std::unique_ptr<BoundTree>> build_trees_py(std::vector<Points> vertices,
                                                       std::vector<Faces> faces, int workers) {
  return build_all<BoundTree>(
      std::move(vertices), std::move(faces), workers,
      [](Points v, Faces f) { return std::make_unique<BoundTree>(std::move(v), std::move(f)); });
}

using Matrix = Given<double, 4, 4>;
using PartArrays = std::tuple<NewArray<double, -1, 3>::Array, NewArray<std::int32_t, -1, 3>::Array,
                              NewArray<std::int32_t, -1>::Array>;

PartArrays arrays_of(bvh::MeshPart& part) {
  const std::size_t count = part.vertices.size() / 3, n = part.ids.size();
  auto vertices = NewArray<double, -1, 3>::of(std::move(part.vertices), {count, 3});
  auto faces = NewArray<std::int32_t, -1, 3>::of(std::move(part.faces), {n, 3});
  freeze_array(vertices);
  freeze_array(faces);
  return {vertices, faces, NewArray<std::int32_t, -1>::of(std::move(part.ids), {n})};
}

bvh::PlacedMesh placed(const Points& vertices, const Faces& faces, const Pose& pose) {
  check_faces(faces.data(), faces.shape(0), vertices.shape(0));
  return {{vertices.data(), vertices.shape(0), faces.data(), faces.shape(0)}, pose};
}

std::tuple<PartArrays, PartArrays> near_arrays(const Points& vertices_a, const Faces& faces_a,
                                               const Points& vertices_b, const Faces& faces_b,
                                               const std::optional<Matrix>& pose, int workers) {
  if (pose) check_poses(pose->data(), 1, kNoBounds);
  const bvh::PlacedMesh a = placed(vertices_a, faces_a, Pose());
  const bvh::PlacedMesh b = placed(vertices_b, faces_b, pose ? Pose(pose->data()) : Pose());
  std::array<bvh::MeshPart, 2> parts;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    const Bounds bounds_b = bvh::bounds_of(b, threads);
    // where vertices are, not where a pose might move them: they are looked at anyway
    const bool fits = all_within(bounds_b.lo, 3, kLargest) && all_within(bounds_b.hi, 3, kLargest);
    if (b.vertex_count > 0 && !fits) throw nb::value_error("b is moved beyond 1e100");
    parts = bvh::near_parts(a, b, common(bvh::bounds_of(a, threads), bounds_b), threads);
  }
  return {arrays_of(parts[0]), arrays_of(parts[1])};
}

// One pose of trees that were asked about before; nothing for all else. The GIL is kept for the
// first look, which is over before it could be released.
std::optional<bool> touch_pose_py(const BoundTree* a, const BoundTree* b, nb::handle poses,
                                  std::optional<double> reach, double limit) {
  if (!a || !b || !reach || !a->prepared().slabs() || !b->prepared().slabs()) return std::nullopt;
  double pose[16];
  const double farthest = std::max(*reach, reach_of(b->tree().bounds()));
  if (!read_pose(poses, pose) || !pose_fits(pose, farthest, std::min(limit, kLargest))) {
    return std::nullopt;
  }
  const bvh::Body resting(a->prepared(), Pose()), moved(b->prepared(), Pose(pose));
  if (bvh::clearly_apart(resting, moved)) return false;
  const Ticker::Callback callback = make_tick(nb::none());
  bool touches = false;
  nb::gil_scoped_release release;
  bvh::touch_poses(a->prepared(), b->prepared(), pose, 1, {true, false, true}, 1, callback,
                   &touches);
  return touches;
}

}  // namespace

void bind_bvh(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundTree>(m, "Tree",
                        "Box tree of one mesh. Keeps both arrays, or copies of writable ones.")
      .def(nb::init<Points, Faces, int>(), "vertices"_a, "faces"_a, "workers"_a = 0)
      .def("refit", &BoundTree::refit, "vertices"_a, "workers"_a = 0,
           "Follow moved vertices; True when the tree was built anew because it had degraded.")
      .def_prop_ro(
          "nbytes", [](const BoundTree& t) { return t.prepared().bytes(); },
          "Memory of the tree without the arrays.");
  m.def("build_trees", &build_trees_py, "vertices"_a, "faces"_a, "workers"_a = 0,
        "The trees of several meshes.");
  m.def("near_parts", &near_arrays, "vertices_a"_a, "faces_a"_a, "vertices_b"_a, "faces_b"_a,
        "pose"_a = nb::none(), "workers"_a = 0,
        "Of mesh a, and of mesh b moved by a pose, the faces that may meet one of the other: "
        "vertices (v, 3), faces (n, 3) and ids (n,) of each.");
  m.def(
      "bvh_invest",
      [](std::size_t slabs, std::size_t sheets) {
        const auto before = std::exchange(bvh::Investment::limits(), {slabs, sheets});
        return std::tuple(before.slabs, before.sheets);
      },
      "slabs"_a, "sheets"_a,
      "How many queries of a tree go without slabs and without sheets before they are made; "
      "returns what it was. For tests: answers are the same with and without.");
  m.def(
      "bvh_patience",
      [](std::size_t work_per_face) {
        return std::exchange(bvh::Patience::work_per_face(), work_per_face);
      },
      "work_per_face"_a,
      "How much work a face may cause before triangles are joined by cutting space; returns what "
      "it was. For tests: answers are the same.");
  m.def("bvh_scene", &collide_scene_py, "trees"_a, "placements"_a.none(), "body_pairs"_a.none(),
        "self_bodies"_a, "touching"_a, "report_duplicates"_a, "first"_a, "workers"_a,
        "tick"_a.none(), "margin"_a = 0.0, "max_pairs"_a = nb::none(),
        "Pairs of many bodies that collide or are within a margin, each body with the bytes of its "
        "pose or None: (pairs, bodies, kinds, counters), sorted.");
  m.def("bvh_scene_collides", &collides_scene_py, "trees"_a, "placements"_a.none(),
        "body_pairs"_a.none(), "self_bodies"_a, "touching"_a, "report_duplicates"_a, "workers"_a,
        "tick"_a.none(), "margin"_a = 0.0, "Whether there is any such pair.");
  m.def("bvh_poses", &collide_poses_py, "a"_a, "b"_a, "poses"_a, "touching"_a, "first"_a,
        "workers"_a, "tick"_a.none(), "margin"_a = 0.0, "max_pairs"_a = nb::none(),
        "Pairs of a with b in each pose that collide or are within a margin: (pairs, pose, kinds, "
        "counters), sorted.");
  m.def("bvh_collides", &touch_poses_py, "a"_a, "b"_a, "poses"_a, "touching"_a, "workers"_a,
        "tick"_a.none(), "Whether a collides with b in each pose.");
  m.def("bvh_collides_one", &touch_pose_py, "a"_a.none(), "b"_a.none(), "poses"_a, "reach"_a.none(),
        "limit"_a,
        "Whether a and b, asked about before, collide or touch in a pose (1, 4, 4) for which "
        "poses_fit holds; None for all else.");
}

}  // namespace impinge
