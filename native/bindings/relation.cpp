#include "solids/relation.hpp"

#include <cstdint>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bound_solid.hpp"
#include "bindings/ticking.hpp"

namespace impinge {
namespace {

using Signs = NewArray<std::int8_t, -1>;

Signs::Array relations_py(const BoundSolid& a, const BoundSolid& b, const Matrices& poses,
                          int workers, nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  const std::size_t n = poses.shape(0);
  Signs found(n);
  {
    nb::gil_scoped_release release;
    static_assert(sizeof(solids::Relation) == sizeof(std::int8_t));
    solids::relations_of_poses(a.solid(), b.solid(), poses.data(), n, resolve_workers(workers),
                               callback, reinterpret_cast<solids::Relation*>(found.data.get()));
  }
  return found.give({n});
}

}  // namespace

void bind_relation(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundSolid>(m, "Solid", "The solid that the mesh of a tree encloses.")
      .def(nb::init<nb::typed<nb::object, BoundTree>, int>(), "tree"_a, "workers"_a = 0)
      .def_prop_ro("closed", [](const BoundSolid& s) { return s.solid().is_closed(); })
      .def_prop_ro("simple", [](const BoundSolid& s) { return s.solid().judgement().is_simple; })
      .def_prop_ro("sturdy", [](const BoundSolid& s) { return s.solid().judgement().is_sturdy; })
      .def_prop_ro("turned", [](const BoundSolid& s) { return s.solid().judgement().is_turned; })
      .def_prop_ro("nbytes", [](const BoundSolid& s) { return s.solid().bytes(); });
  m.def("relations", &relations_py, "a"_a, "b"_a, "poses"_a, "workers"_a, "tick"_a.none(),
        "How a lies to b in each pose (m, 4, 4), none of them flat: the numbers of a Relation.");
}

}  // namespace impinge
