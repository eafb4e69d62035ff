#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bound_solid.hpp"
#include "bindings/ticking.hpp"
#include "solids/measures.hpp"
#include "solids/overlap_bounds.hpp"

namespace impinge {
namespace {

using Numbers3 = NewArray<double, 3>;
using Corners2 = NewArray<double, 2, 3>;

std::tuple<double, Numbers3::Array, Corners2::Array> measures_py(const BoundSolid& a,
                                                                 const BoundSolid& b, int workers,
                                                                 nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  solids::Measures found;
  {
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    const solids::PlacedSolid placed_a(a.solid(), Pose()), placed_b(b.solid(), Pose());
    const solids::Overlay overlay(placed_a, placed_b, threads, callback);
    found = solids::measures_of(overlay, threads);
    if (placed_a.is_simple() && placed_b.is_simple()) {
      found.bounds = solids::tight_bounds(overlay, placed_a, placed_b);
    }
  }
  Numbers3 centroid(3);
  Corners2 bounds(6);
  std::copy_n(found.centroid, 3, centroid.data.get());
  std::copy_n(found.bounds.lo, 3, bounds.data.get());
  std::copy_n(found.bounds.hi, 3, bounds.data.get() + 3);
  return {found.volume, centroid.give({3}), bounds.give({2, 3})};
}

}  // namespace

void bind_penetration(nb::module_& m) {
  using namespace nb::literals;
  m.def("overlap_measures", &measures_py, "a"_a, "b"_a, "workers"_a, "tick"_a.none(),
        "Volume, centroid (3,) and bounds (2, 3) of what two solids that overlap have in common.");
}

}  // namespace impinge
