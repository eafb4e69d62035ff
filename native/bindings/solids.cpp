#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/ticking.hpp"
#include "bvh/pair/collide.hpp"
#include "mesh/closed.hpp"
#include "solids/boundary.hpp"
#include "solids/nearest.hpp"
#include "solids/sense.hpp"
#include "solids/sides.hpp"

namespace impinge {
namespace {

using Signs = NewArray<std::int8_t, -1>;
using Numbers = NewArray<double, -1>;
using Positions = NewArray<double, -1, 3>;
using Ids = NewArray<std::int32_t, -1>;

solids::Sense sense_named(bool turned) {
  return turned ? solids::Sense::turned : solids::Sense::as_given;
}

std::tuple<std::size_t, bool> solid_py(const BoundTree& tree) {
  nb::gil_scoped_release release;
  const bvh::Tree& t = tree.tree();
  const std::size_t open = count_open_edges(t.corners(), t.face_count(), t.vertex_count());
  return {open, open == 0 && solids::sense_of(t) == solids::Sense::turned};
}

Signs::Array sides_py(const BoundTree& tree, const Points& points, bool turned, int workers,
                      nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t count = points.shape(0);
  Signs sides(count);
  {
    nb::gil_scoped_release release;
    solids::sides_of(tree.tree(), points.data(), count, sense_named(turned),
                     resolve_workers(workers), callback, sides.data.get());
  }
  return sides.give({count});
}

std::tuple<Positions::Array, Numbers::Array, Ids::Array> nearest_py(const BoundTree& tree,
                                                                    const Points& points,
                                                                    int workers, nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t count = points.shape(0);
  Positions places(3 * count);
  Numbers distances(count);
  Ids faces(count);
  {
    nb::gil_scoped_release release;
    solids::nearest_of(tree.tree(), points.data(), count, resolve_workers(workers), callback,
                       {places.data.get(), distances.data.get(), faces.data.get()});
  }
  return {places.give({count, 3}), distances.give({count}), faces.give({count})};
}

// With the tree it points into.
class BoundBoundary {
 public:
  // However long it takes, it is the beginning of the work.
  BoundBoundary(const BoundTree& tree, bool turned, int workers, nb::object tick) {
    const Ticker::Callback callback = make_tick(std::move(tick));
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    const std::vector<bvh::Body> bodies = {bvh::Body(tree.prepared(), Pose())};
    const auto own =
        bvh::collide_scene(bodies, nullptr, {0}, Rule{}, threads, [&](double) { callback(0.0); });
    boundary_.emplace(tree.tree(), own.keys, sense_named(turned), threads);
  }

  Numbers::Array signed_distances(const Points& points, int workers, nb::object tick) const {
    const Ticker::Callback callback = make_tick(std::move(tick));
    const std::size_t count = points.shape(0);
    Numbers distances(count);
    {
      nb::gil_scoped_release release;
      solids::signed_distances_of(*boundary_, points.data(), count, resolve_workers(workers),
                                  callback, distances.data.get());
    }
    return distances.give({count});
  }

 private:
  std::optional<solids::Boundary> boundary_;
};

}  // namespace

void bind_solids(nb::module_& m) {
  using namespace nb::literals;
  m.def("solid", &solid_py, "tree"_a,
        "Of a mesh how many edges are not used equally often in both directions, and whether it "
        "is inside out.");
  m.def("sides", &sides_py, "tree"_a, "points"_a, "turned"_a, "workers"_a, "tick"_a.none(),
        "On which side (m,) of a closed mesh points (m, 3) are: -1 inside, 0 on the surface, 1 "
        "outside.");
  m.def("nearest", &nearest_py, "tree"_a, "points"_a, "workers"_a, "tick"_a.none(),
        "Of each point (m, 3) the closest points (m, 3) of a mesh, distances (m,), faces (m,).");
  nb::class_<BoundBoundary>(m, "Boundary",
                            "What of a closed mesh bounds its solid. Keeps the tree.")
      .def(nb::init<const BoundTree&, bool, int, nb::object>(), "tree"_a, "turned"_a, "workers"_a,
           "tick"_a.none(), nb::keep_alive<1, 2>())
      .def("signed_distances", &BoundBoundary::signed_distances, "points"_a, "workers"_a,
           "tick"_a.none(), "How far (m,) points (m, 3) are from the solid, negative inside.");
}

}  // namespace impinge
