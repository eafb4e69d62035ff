#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/pairs.hpp"
#include "bindings/ticking.hpp"
#include "bvh/collide.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

CounterDict counters_of(const Found& found) {
  CounterDict d;
  const Counters& c = found.counters;
  d["broad_seconds"] = found.broad_seconds;
  d["broad_pairs"] = found.body_pairs;
  d["traverse_seconds"] = found.traverse_seconds;
  d["node_pairs"] = c.node_pairs;
  d["leaf_pairs"] = c.leaf_pairs;
  d["candidates"] = c.candidates;
  d["uncertain"] = c.undecided;
  d["clear_sheets"] = c.clear_sheets;
  d["stars"] = c.stars;
  d["stars_open"] = c.stars_open;
  d["star_tests"] = c.star_tests;
  d["sort_seconds"] = found.sort_seconds;
  d["hits"] = found.keys.size();
  return d;
}

ScenePairs collide_scene_py(const std::vector<const BoundTree*>& trees,
                            const std::optional<Matrices>& poses,
                            const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
                            bool touching, bool report_duplicates, bool first, int workers,
                            nb::object tick) {
  const std::size_t count = trees.size();
  if (poses && poses->shape(0) != count) throw nb::value_error("one pose per tree is needed");
  const BodyChoice choice(count, body_pairs, self_bodies);
  std::vector<Placed> bodies;
  std::vector<std::uint32_t> ends;
  std::size_t faces = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bodies.push_back({&trees[i]->tree(), poses ? Pose(poses->data() + 16 * i) : Pose()});
    faces += trees[i]->tree().face_count();
    ends.push_back(static_cast<std::uint32_t>(faces));
  }
  if (faces >> kIdBits) throw nb::value_error("more than 2**30 faces in one scene");
  const Ticker::Callback callback = make_tick(std::move(tick));
  Found found;
  std::optional<SceneColumns> columns;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    found = collide_scene(bodies, choice.only(), choice.self, {touching, report_duplicates, first},
                          threads, callback);
    columns.emplace(found.keys, ends, threads);
  }
  return columns->give(counters_of(found));
}

PosePairs collide_poses_py(const BoundTree& a, const BoundTree& b, const Matrices& poses,
                           bool touching, bool first, int workers, nb::object tick) {
  const std::size_t offset = a.tree().face_count();
  if ((offset + b.tree().face_count()) >> kIdBits) {
    throw nb::value_error("more than 2**30 faces in one query");
  }
  const Ticker::Callback callback = make_tick(std::move(tick));
  Found found;
  std::optional<PoseColumns> columns;
  {
    nb::gil_scoped_release release;
    found = collide_poses(a.tree(), b.tree(), poses.data(), poses.shape(0),
                          {touching, false, first}, resolve_workers(workers), callback);
    columns.emplace(found.keys, found.run_ends, offset);
  }
  return columns->give(counters_of(found));
}

NewArray<bool, -1>::Array touch_poses_py(const BoundTree& a, const BoundTree& b,
                                         const Matrices& poses, bool touching, int workers,
                                         nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t count = poses.shape(0);
  NewArray<bool, -1> touches(count);
  {
    nb::gil_scoped_release release;
    touch_poses(a.tree(), b.tree(), poses.data(), count, {touching, false, true},
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

// Finite, affine, and no coordinate of size `reach` is moved beyond `limit`.
bool pose_fits(const double* m, double reach, double limit) {
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1) return false;
  for (const double* row = m; row < m + 12; row += 4) {
    const double size = (std::fabs(row[0]) + std::fabs(row[1]) + std::fabs(row[2])) * reach;
    if (!(size + std::fabs(row[3]) <= limit)) return false;
    for (int k = 0; k < 4; ++k) {
      if (!std::isfinite(row[k])) return false;
    }
  }
  return true;
}

bool poses_fit(const Matrices& poses, double reach, double limit) {
  for (std::size_t i = 0; i < poses.shape(0); ++i) {
    if (!pose_fits(poses.data() + 16 * i, reach, limit)) return false;
  }
  return true;
}

// A read-only copy, so that nobody changes them meanwhile; nothing when they do not fit.
std::optional<nb::ndarray<nb::numpy, const double, nb::shape<-1, 4, 4>>> copy_poses(
    const Matrices& poses, double reach, double limit) {
  if (!poses_fit(poses, reach, limit)) return std::nullopt;
  const std::size_t count = poses.shape(0);
  Block<double> copy = make_block<double>(16 * count);
  std::copy_n(poses.data(), 16 * count, copy.get());
  nb::capsule owner(copy.get(), give_back);
  return nb::ndarray<nb::numpy, const double, nb::shape<-1, 4, 4>>(copy.release(), {count, 4, 4},
                                                                   owner);
}

// Copies the one pose of float64 numbers (1, 4, 4) row by row, so that nobody changes it meanwhile;
// false for any other array. Takes half the time of an nb::ndarray.
bool read_pose(nb::handle poses, double (&pose)[16]) {
  Py_buffer view;
  if (PyObject_GetBuffer(poses.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool is_one = view.ndim == 3 && view.shape[0] == 1 && view.shape[1] == 4 &&
                      view.shape[2] == 4 && std::strcmp(view.format, "d") == 0;
  if (is_one) std::memcpy(pose, view.buf, sizeof pose);
  PyBuffer_Release(&view);
  return is_one;
}

// One pose of trees that were asked about before; nothing for all else. The GIL is kept for the
// first look, which is over before it could be released.
std::optional<bool> touch_pose_py(const BoundTree* a, const BoundTree* b, nb::handle poses,
                                  std::optional<double> reach, double limit) {
  if (!a || !b || !reach || !a->tree().slabs() || !b->tree().slabs()) return std::nullopt;
  double pose[16];
  if (!read_pose(poses, pose) || !pose_fits(pose, *reach, limit)) return std::nullopt;
  if (clearly_apart({&a->tree(), Pose()}, {&b->tree(), Pose(pose)})) return false;
  const Ticker::Callback callback = make_tick(nb::none());
  bool touches = false;
  nb::gil_scoped_release release;
  touch_poses(a->tree(), b->tree(), pose, 1, {true, false, true}, 1, callback, &touches);
  return touches;
}

}  // namespace

void bind_bvh(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundTree>(m, "Tree", "Box tree of one mesh. Keeps references to both arrays.")
      .def(nb::init<Points, Faces, int>(), "vertices"_a, "faces"_a, "workers"_a = 0)
      .def("refit", &BoundTree::refit, "vertices"_a, "workers"_a = 0,
           "Follow moved vertices; True when the tree was built anew because it had degraded.")
      .def_prop_ro(
          "nbytes", [](const BoundTree& t) { return t.tree().bytes(); },
          "Memory of the tree without the arrays.");
  m.def("build_trees", &build_trees_py, "vertices"_a, "faces"_a, "workers"_a = 0,
        "The trees of several meshes.");
  m.def("copy_poses", &copy_poses, nb::arg("poses").noconvert(), "reach"_a, "limit"_a,
        "A read-only copy of poses (m, 4, 4) for which poses_fit holds, else None.");
  m.def("poses_fit", &poses_fit, "poses"_a, "reach"_a, "limit"_a,
        "Whether all poses (m, 4, 4) are finite, affine and move |x| <= reach to at most limit.");
  m.def("bvh_scene", &collide_scene_py, "trees"_a, "poses"_a.none(), "body_pairs"_a.none(),
        "self_bodies"_a, "touching"_a, "report_duplicates"_a, "first"_a, "workers"_a,
        "tick"_a.none(),
        "Colliding pairs of many bodies: (pairs, bodies, kinds, counters), sorted.");
  m.def("bvh_poses", &collide_poses_py, "a"_a, "b"_a, "poses"_a, "touching"_a, "first"_a,
        "workers"_a, "tick"_a.none(),
        "Colliding pairs of a with b in each pose: (pairs, pose, kinds, counters), sorted.");
  m.def("bvh_touches", &touch_poses_py, "a"_a, "b"_a, "poses"_a, "touching"_a, "workers"_a,
        "tick"_a.none(), "Whether a collides with b in each pose.");
  m.def("bvh_touches_one", &touch_pose_py, "a"_a.none(), "b"_a.none(), "poses"_a, "reach"_a.none(),
        "limit"_a,
        "Whether a and b, asked about before, collide or touch in a pose (1, 4, 4) for which "
        "poses_fit holds; None for all else.");
}

}  // namespace impinge
