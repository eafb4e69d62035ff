#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>

#include "bindings/bound_tree.hpp"
#include "bindings/pairs.hpp"
#include "bindings/poses.hpp"
#include "bindings/ticking.hpp"
#include "dop/collide.hpp"
#include "dop/lanes.hpp"
#include "dop/trace.hpp"

namespace impinge::dop {
namespace {

const Directions& directions_of(int k) {
  const Directions* directions = Directions::of(k);
  if (!directions) throw nb::value_error("k must be 6, 14, 18, 24 or 26");
  return *directions;
}

class BoundDopTree : public Bound<Tree> {
 public:
  BoundDopTree(Points vertices, Faces faces, int k, bool maps)
      : Bound(std::move(vertices), std::move(faces)),
        directions_(directions_of(k)),
        with_maps(maps) {}
  BoundDopTree(Points vertices, Faces faces, int k, bool maps, int workers)
      : BoundDopTree(std::move(vertices), std::move(faces), k, maps) {
    nb::gil_scoped_release release;
    build(resolve_workers(workers));
  }

  void build(int workers) { make(directions_, with_maps, workers); }
  const Tree& tree() const { return held(); }

 private:
  const Directions& directions_;

 public:
  const bool with_maps;
};

std::vector<std::unique_ptr<BoundDopTree>> build_trees_py(std::vector<Points> vertices,
                                                          std::vector<Faces> faces, int k,
                                                          bool maps, int workers) {
  return build_all<BoundDopTree>(
      std::move(vertices), std::move(faces), workers, [k, maps](Points v, Faces f) {
        return std::make_unique<BoundDopTree>(std::move(v), std::move(f), k, maps);
      });
}

// A pair of trees can only be compared when they have the same directions.
const Tree& same_directions(const BoundDopTree& a, const BoundDopTree& b) {
  if (&a.tree().directions() != &b.tree().directions()) {
    throw nb::value_error("all trees must have the same k");
  }
  return b.tree();
}

Options options_of(const std::string& kernel, const std::string& traversal, bool touching,
                   bool report_duplicates, bool first) {
  const auto named = kernel_named(kernel);
  if (!named || *named == Kernel::moller) {
    throw nb::value_error("kernel must be exact, unit_closed or unit_open");
  }
  if (traversal != "list" && traversal != "classic") {
    throw nb::value_error("traversal must be list or classic");
  }
  return {{touching, report_duplicates, first},
          *named,
          traversal == "list" ? Traversal::list : Traversal::classic};
}

void check_kernel(const Options& options, const BoundDopTree& tree) {
  if (options.kernel != Kernel::exact && !tree.with_maps) {
    throw nb::value_error("the unit kernels need trees with maps");
  }
}

// What the traversals count, and faces without area.
auto counting(std::size_t degenerate) {
  return [degenerate](const Counters& c, Counts& d) {
    d["transforms"] = c.transforms;
    d["transforms_saved"] = c.node_pairs - c.transforms;
    d["lists"] = c.lists;
    d["list_pairs"] = c.list_pairs;
    d["leaf_dops"] = c.leaf_dops;
    d["degenerate"] = degenerate;
  };
}

ScenePairs scene_py(const std::vector<const BoundDopTree*>& trees, const Placements& placements,
                    const std::optional<IndexPairs>& body_pairs, const Indices& self_bodies,
                    const std::string& kernel, const std::string& traversal, bool touching,
                    bool report_duplicates, bool first, int workers, nb::object tick) {
  const Options options = options_of(kernel, traversal, touching, report_duplicates, first);
  std::size_t degenerate = 0;
  const SceneBodies<Body> scene(trees.size(), placements, [&](std::size_t i, const Pose& pose) {
    check_kernel(options, *trees[i]);
    const Tree& tree = same_directions(*trees[0], *trees[i]);
    degenerate += tree.degenerate();
    return Body{&tree, pose};
  });
  const BodyChoice choice(trees.size(), body_pairs, self_bodies);
  if (options.kernel != Kernel::exact && !choice.self.empty()) {
    throw nb::value_error("self-collision needs the exact kernel");
  }
  const auto ask = [&](int threads, const Ticker::Callback& callback) {
    return collide_scene(scene.bodies, choice.only(), choice.self, options, threads, callback);
  };
  return scene_pairs(scene.ends, workers, std::move(tick), ask, counting(degenerate));
}

PosePairs poses_py(const BoundDopTree& a, const BoundDopTree& b, const Matrices& poses,
                   const std::string& kernel, const std::string& traversal, bool touching,
                   bool first, int workers, nb::object tick) {
  const Options options = options_of(kernel, traversal, touching, false, first);
  check_kernel(options, a);
  check_kernel(options, b);
  const Tree& moved = same_directions(a, b);
  check_poses(poses, moved.bounds());
  const auto ask = [&](int threads, const Ticker::Callback& callback) {
    return collide_poses(a.tree(), moved, poses.data(), poses.shape(0), options, threads, callback);
  };
  return pose_pairs(a.tree().face_count(), moved.face_count(), workers, std::move(tick), ask,
                    counting(a.tree().degenerate() + moved.degenerate()));
}

NewArray<bool, -1>::Array touches_py(const BoundDopTree& a, const BoundDopTree& b,
                                     const Matrices& poses, const std::string& kernel,
                                     const std::string& traversal, bool touching, int workers,
                                     nb::object tick) {
  const Options options = options_of(kernel, traversal, touching, false, true);
  check_kernel(options, a);
  check_kernel(options, b);
  const Tree& moved = same_directions(a, b);
  check_poses(poses, moved.bounds());
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t count = poses.shape(0);
  NewArray<bool, -1> touches(count);
  {
    nb::gil_scoped_release release;
    const auto found = collide_poses(a.tree(), moved, poses.data(), count, options,
                                     resolve_workers(workers), callback);
    for (std::size_t i = 0; i < count; ++i) {
      touches.data[i] = found.run_ends[i] > (i == 0 ? 0 : found.run_ends[i - 1]);
    }
  }
  return touches.give({count});
}

// a stays aligned, whatever the sizes.
Job job_of(const BoundDopTree& a, const BoundDopTree& b, const Matrices& pose) {
  const Tree& tumbled = same_directions(a, b);
  if (pose.shape(0) != 1) throw nb::value_error("pose must be of shape (1, 4, 4)");
  check_poses(pose, tumbled.bounds());
  if (a.tree().empty() || tumbled.empty()) throw nb::value_error("both trees must have faces");
  return {{&a.tree(), Pose()}, {&tumbled, Pose(pose.data())}, 0, 0, false};
}

using NodeArray = NewArray<std::int32_t, -1>;
using MeetingArray = NewArray<std::int32_t, -1, 3>;

std::tuple<MeetingArray::Array, NodeArray::Array> trace_py(const BoundDopTree& a,
                                                           const BoundDopTree& b,
                                                           const Matrices& pose,
                                                           const std::string& order) {
  if (order != "siblings" && order != "single" && order != "classic") {
    throw nb::value_error("order must be siblings, single or classic");
  }
  const Trace result = trace(job_of(a, b, pose), order == "siblings" ? Order::siblings
                                                 : order == "single" ? Order::single
                                                                     : Order::classic);
  MeetingArray meetings(3 * result.meetings.size());
  for (std::size_t i = 0; i < result.meetings.size(); ++i) {
    meetings.data[3 * i] = static_cast<std::int32_t>(result.meetings[i].aligned);
    meetings.data[3 * i + 1] = static_cast<std::int32_t>(result.meetings[i].tumbled);
    meetings.data[3 * i + 2] = result.meetings[i].overlap;
  }
  NodeArray transforms(result.transforms.size());
  std::copy(result.transforms.begin(), result.transforms.end(), transforms.data.get());
  return {meetings.give({result.meetings.size(), 3}), transforms.give({result.transforms.size()})};
}

using FloatRows = NewArray<float, -1, -1>;
using IndexRows = NewArray<std::int32_t, -1, 3>;
using CoefficientRows = NewArray<float, -1, 3>;
using FloatColumn = NewArray<float, -1>;

std::tuple<CoefficientRows::Array, IndexRows::Array, FloatColumn::Array> correspondence_py(
    const BoundDopTree& a, const BoundDopTree& b, const Matrices& pose) {
  const Job job = job_of(a, b, pose);
  const Directions& directions = a.tree().directions();
  const Correspondence map(directions, Between(job.a.frame(), job.b.frame()));
  const auto k = static_cast<std::size_t>(directions.count());
  CoefficientRows c(3 * k);
  IndexRows from(3 * k);
  FloatColumn shift(k);
  for (std::size_t i = 0; i < k; ++i) {
    const int lane = directions.opposite(static_cast<int>(i));
    for (std::size_t l = 0; l < 3; ++l) {
      c.data[3 * i + l] = map.c[l][lane];
      from.data[3 * i + l] = map.from[l][lane];
    }
    shift.data[i] = map.shift[lane];
  }
  return {c.give({k, 3}), from.give({k, 3}), shift.give({k})};
}

// Rows of k; those of leaves are made of their corners, as when a leaf meets an inner node.
FloatRows::Array dops_py(const BoundDopTree& bound) {
  const Tree& tree = bound.tree();
  const auto k = static_cast<std::size_t>(tree.directions().count());
  FloatRows rows(k * tree.node_count());
  with_blocks(tree.directions().blocks(), [&](auto blocks) {
    alignas(32) float dop[kRoom] = {};
    for (std::uint32_t i = 0; i < tree.node_count(); ++i) {
      if (i >= kRoot) {
        const Node<blocks>& node = tree.node<blocks>(i);
        const Lanes<blocks> lanes = node.is_leaf()
                                        ? dop_of<blocks>(tree.directions(), node.corners())
                                        : load<blocks>(node.data);
        for (int w = 0; w < blocks; ++w) lanes.at[w].store(dop + kLanes * w);
      }
      std::copy_n(dop, k, rows.data.get() + k * i);
    }
  });
  return rows.give({tree.node_count(), k});
}

NodeArray::Array links_py(const BoundDopTree& bound) {
  const Tree& tree = bound.tree();
  NodeArray links(tree.node_count());
  with_blocks(tree.directions().blocks(), [&](auto blocks) {
    for (std::uint32_t i = 0; i < tree.node_count(); ++i) {
      const Node<blocks>& node = tree.node<blocks>(i);
      links.data[i] = i < kRoot        ? 0
                      : node.is_leaf() ? -1 - static_cast<std::int32_t>(node.face())
                                       : static_cast<std::int32_t>(node.pair());
    }
  });
  return links.give({tree.node_count()});
}

CoefficientRows::Array directions_py(int k) {
  const Directions& directions = directions_of(k);
  CoefficientRows rows(3 * static_cast<std::size_t>(k));
  for (int i = 0; i < k; ++i) {
    for (int c = 0; c < 3; ++c) rows.data[3 * i + c] = directions.axis(c)[i];
  }
  return rows.give({static_cast<std::size_t>(k), 3});
}

}  // namespace
}  // namespace impinge::dop

namespace impinge {

void bind_dop(nb::module_& m) {
  using namespace nb::literals;
  using dop::BoundDopTree;
  nb::class_<BoundDopTree>(m, "DopTree",
                           "DOP tree of one mesh. Keeps both arrays, or copies of writable ones.")
      .def(nb::init<Points, Faces, int, bool, int>(), "vertices"_a, "faces"_a, "k"_a = 24,
           "maps"_a = false, "workers"_a = 0,
           "With `maps`, leaves have the matrices of the unit-triangle test.")
      .def("refit", &BoundDopTree::refit, "vertices"_a, "workers"_a = 0,
           "Follow moved vertices; True when the tree was built anew because it had degraded.")
      .def_prop_ro(
          "k", [](const BoundDopTree& t) { return t.tree().directions().count(); },
          "Number of directions.")
      .def_prop_ro("dops", &dop::dops_py, nb::rv_policy::move,
                   "(2m, k) float32: the DOP of each node in the frame of the tree; row 1 is the "
                   "root, row 0 is unused.")
      .def_prop_ro("links", &dop::links_py, nb::rv_policy::move,
                   "(2m,) int32: p when the children of a node are 2p and 2p + 1, -1 - face for a "
                   "leaf.")
      .def_prop_ro(
          "frame",
          [](const BoundDopTree& t) {
            const Frame& f = t.tree().frame();
            return std::tuple(f.centre[0], f.centre[1], f.centre[2], f.scale);
          },
          "Centre x, y, z and scale: coordinates in the frame are (v - centre) * scale.")
      .def_prop_ro(
          "nbytes", [](const BoundDopTree& t) { return t.tree().bytes(); },
          "Memory of the tree without the arrays.");
  m.def("build_dop_trees", &dop::build_trees_py, "vertices"_a, "faces"_a, "k"_a, "maps"_a,
        "workers"_a = 0, "The trees of several meshes.");
  m.def("dop_directions", &dop::directions_py, "k"_a, "(k, 3) float32 directions of k-DOPs.");
  m.def("dop_correspondence", &dop::correspondence_py, "a"_a, "b"_a, "pose"_a,
        "How DOPs of b in a pose (1, 4, 4) are bounded in the frame of a, per direction i: "
        "coefficients C (k, 3), indices j (k, 3) and c (k,) of d'_i = sum C_il d_j(i,l) + c_i.");
  m.def("dop_trace", &dop::trace_py, "a"_a, "b"_a, "pose"_a, "order"_a,
        "Nodes that meet, in order, as rows (node of a, node of b, overlap), and the nodes of b in "
        "the order they are transformed; `order` is siblings, single or classic.");
  m.def("dop_scene", &dop::scene_py, "trees"_a, "placements"_a.none(), "body_pairs"_a.none(),
        "self_bodies"_a, "kernel"_a, "traversal"_a, "touching"_a, "report_duplicates"_a, "first"_a,
        "workers"_a, "tick"_a.none(),
        "Colliding pairs of many bodies, each with the bytes of its pose or None: (pairs, bodies, "
        "kinds, counters), sorted.");
  m.def("dop_poses", &dop::poses_py, "a"_a, "b"_a, "poses"_a, "kernel"_a, "traversal"_a,
        "touching"_a, "first"_a, "workers"_a, "tick"_a.none(),
        "Colliding pairs of a with b in each pose: (pairs, pose, kinds, counters), sorted.");
  m.def("dop_collides", &dop::touches_py, "a"_a, "b"_a, "poses"_a, "kernel"_a, "traversal"_a,
        "touching"_a, "workers"_a, "tick"_a.none(), "Whether a collides with b in each pose.");
}

}  // namespace impinge
