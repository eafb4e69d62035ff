#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bound_solid.hpp"
#include "bindings/ticking.hpp"
#include "solids/measures.hpp"
#include "solids/overlap_bounds.hpp"
#include "solids/pieces.hpp"

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

std::tuple<NewArray<double, -1, 3>::Array, NewArray<std::int32_t, -1, 3>::Array> overlap_py(
    const BoundSolid& a, const BoundSolid& b, int workers, nb::object tick) {
  const Ticker::Callback callback = make_tick(std::move(tick));
  std::vector<double> vertices;
  std::vector<std::int32_t> faces;
  {
    nb::gil_scoped_release release;
    const solids::PlacedSolid placed_a(a.solid(), Pose()), placed_b(b.solid(), Pose());
    const solids::Overlay overlay(placed_a, placed_b, resolve_workers(workers), callback);
    const solids::Pieces pieces = solids::pieces_of(overlay);
    for (const auto& corner : pieces.corners) {
      vertices.insert(vertices.end(), corner.begin(), corner.end());
    }
    for (const auto& piece : pieces.pieces) {
      faces.insert(faces.end(), piece.corner, piece.corner + 3);
    }
  }
  const std::size_t n = vertices.size() / 3, m = faces.size() / 3;
  return {NewArray<double, -1, 3>::of(std::move(vertices), {n, 3}),
          NewArray<std::int32_t, -1, 3>::of(std::move(faces), {m, 3})};
}

}  // namespace

void bind_penetration(nb::module_& m) {
  using namespace nb::literals;
  m.def("overlap_measures", &measures_py, "a"_a, "b"_a, "workers"_a, "tick"_a.none(),
        "Volume, centroid (3,) and bounds (2, 3) of what two solids that overlap have in common.");
  m.def("overlap_mesh", &overlap_py, "a"_a, "b"_a, "workers"_a, "tick"_a.none(),
        "Vertices (n, 3) and faces (m, 3) of what two solids that overlap have in common.");
}

}  // namespace impinge
