#include "solids/relation.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bound_solid.hpp"
#include "bindings/pairs.hpp"
#include "bindings/poses.hpp"
#include "bindings/ticking.hpp"

namespace impinge {
namespace {

using Relations = NewArray<std::int8_t, -1>;
static_assert(sizeof(solids::Relation) == sizeof(std::int8_t));

std::int64_t first_flat(const Matrices& poses) {
  for (std::size_t i = 0; i < poses.shape(0); ++i) {
    if (solids::handedness(Pose(poses.data() + 16 * i)) == 0) return static_cast<std::int64_t>(i);
  }
  return -1;
}

void check_volume(const Matrices& poses) {
  if (first_flat(poses) >= 0) throw nb::value_error("a pose makes everything flat");
}

Relations::Array relations_py(const BoundSolid& a, const BoundSolid& b, const Matrices& poses,
                              int workers, nb::object tick) {
  const solids::Solid &solid_a = a.filled(), &solid_b = b.filled();
  check_poses(poses, solid_b.tree().tree().bounds());
  check_volume(poses);
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t n = poses.shape(0);
  Relations found(n);
  {
    nb::gil_scoped_release release;
    solids::relations_of_poses(solid_a, solid_b, poses.data(), n, resolve_workers(workers),
                               callback, reinterpret_cast<solids::Relation*>(found.data.get()));
  }
  return found.give({n});
}

std::tuple<PairArray::Array, Relations::Array> scene_relations_py(
    const std::vector<const BoundSolid*>& bodies, const Matrices& poses,
    const std::optional<IndexPairs>& body_pairs, const Indices& none, int workers,
    nb::object tick) {
  if (poses.shape(0) != bodies.size()) throw nb::value_error("one pose per solid is needed");
  check_volume(poses);
  const BodyChoice choice(bodies.size(), body_pairs, none);
  const Ticker::Callback callback = make_tick(std::move(tick));
  std::vector<const solids::Solid*> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    all.push_back(&bodies[i]->filled());
    check_poses(poses.data() + 16 * i, 1, all.back()->tree().tree().bounds());
  }
  solids::PairRelations found;
  {
    nb::gil_scoped_release release;
    found = solids::relations_of_pairs(all, poses.data(), choice.only(), resolve_workers(workers),
                                       callback);
  }
  const std::size_t n = found.pairs.size();
  PairArray pairs(2 * n);
  Relations relations(n);
  for (std::size_t i = 0; i < n; ++i) {
    pairs.data[2 * i] = static_cast<std::int32_t>(found.pairs[i].a);
    pairs.data[2 * i + 1] = static_cast<std::int32_t>(found.pairs[i].b);
    relations.data[i] = static_cast<std::int8_t>(found.relations[i]);
  }
  return {pairs.give({n, 2}), relations.give({n})};
}

}  // namespace

void bind_relation(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundSolid>(m, "Solid", "The solid that the mesh of a tree encloses.")
      .def(nb::init<nb::typed<nb::object, BoundTree>, int>(), "tree"_a, "workers"_a = 0)
      .def_prop_ro(
          "open_edges", [](const BoundSolid& s) { return s.solid().rings().open_edges(); },
          "How many edges are not used equally often in both directions.")
      .def_prop_ro(
          "closed", [](const BoundSolid& s) { return s.solid().is_closed(); },
          "Whether there are none, and faces.")
      .def_prop_ro(
          "empty", [](const BoundSolid& s) { return s.solid().judgement().is_empty; },
          "Whether a closed mesh encloses nothing.")
      .def_prop_ro(
          "simple", [](const BoundSolid& s) { return s.solid().judgement().is_simple; },
          "Whether no two faces meet in more than what they share.")
      .def_prop_ro(
          "sturdy", [](const BoundSolid& s) { return s.solid().judgement().is_sturdy; },
          "Whether it stays simple under the rounding of any usual pose.")
      .def_prop_ro(
          "turned", [](const BoundSolid& s) { return s.solid().judgement().is_turned; },
          "Whether it is inside out, and taken the other way round.")
      .def_prop_ro(
          "overlaps_itself",
          [](const BoundSolid& s) { return s.solid().judgement().overlaps_itself; },
          "Whether the winding number is somewhere neither 0 nor 1.")
      .def_prop_ro(
          "nbytes", [](const BoundSolid& s) { return s.solid().bytes(); },
          "Memory without the tree.");
  m.def("first_flat", &first_flat, "poses"_a,
        "Index of the first pose (m, 4, 4) with the determinant 0; -1 for none.");
  m.def("relations", &relations_py, "a"_a, "b"_a, "poses"_a, "workers"_a, "tick"_a.none(),
        "How a lies to b in each pose (m, 4, 4), none of them flat: the numbers of a Relation.");
  m.def("scene_relations", &scene_relations_py, "solids"_a, "poses"_a, "body_pairs"_a.none(),
        "self_bodies"_a, "workers"_a, "tick"_a.none(),
        "How solids in their poses lie to each other: (pairs, relations) of those whose boxes "
        "meet.");
}

}  // namespace impinge
