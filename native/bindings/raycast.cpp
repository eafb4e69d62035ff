#include "bvh/ray/raycast.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bound_tree.hpp"
#include "bindings/ticking.hpp"

namespace impinge::bvh {
namespace {

using IndexArray = NewArray<std::int32_t, -1>;
using NumberArray = NewArray<double, -1>;

std::tuple<IndexArray::Array, IndexArray::Array, NumberArray::Array> raycast_py(
    const BoundTree& tree, const Points& origins, const Points& directions, int mode, double t_min,
    double t_max, int workers, nb::object tick) {
  const std::size_t count = origins.shape(0);
  if (directions.shape(0) != count) throw nb::value_error("as many directions as origins");
  if (mode < 0 || mode > 2) throw nb::value_error("mode is 0 closest, 1 any or 2 all");
  const Ticker::Callback callback = make_tick(std::move(tick));
  RayHits hits(0);
  {
    nb::gil_scoped_release release;
    hits = raycast(tree.tree(), origins.data(), directions.data(), count,
                   static_cast<RayMode>(mode), {t_min, t_max}, resolve_workers(workers), callback);
  }
  return {IndexArray(std::move(hits.ray)).give({hits.count}),
          IndexArray(std::move(hits.face)).give({hits.count}),
          NumberArray(std::move(hits.t)).give({hits.count})};
}

}  // namespace
}  // namespace impinge::bvh

namespace impinge {

void bind_raycast(nb::module_& m) {
  using namespace bvh;
  using namespace nb::literals;
  m.def("raycast", &raycast_py, "tree"_a, "origins"_a, "directions"_a, "mode"_a, "t_min"_a,
        "t_max"_a, "workers"_a, "tick"_a.none(),
        "Hits of many rays (ray, face, t), sorted; mode 0 closest, 1 any, 2 all.");
}

}  // namespace impinge
