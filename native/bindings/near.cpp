#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bvh/pair/near_parts.hpp"

namespace impinge {
namespace {

using Matrix = nb::ndarray<const double, nb::shape<4, 4>, nb::c_contig, nb::device::cpu>;
using PartArrays = std::tuple<NewArray<double, -1, 3>::Array, NewArray<std::int32_t, -1, 3>::Array,
                              NewArray<std::int32_t, -1>::Array>;

PartArrays arrays_of(bvh::MeshPart& part) {
  const std::size_t vertices = part.vertices.size() / 3, n = part.ids.size();
  return {NewArray<double, -1, 3>::of(std::move(part.vertices), {vertices, 3}),
          NewArray<std::int32_t, -1, 3>::of(std::move(part.faces), {n, 3}),
          NewArray<std::int32_t, -1>::of(std::move(part.ids), {n})};
}

bvh::PlacedMesh placed(const Points& vertices, const Faces& faces, const double* pose) {
  check_below(faces.data(), 3 * faces.shape(0), vertices.shape(0), "a face without its vertices");
  return {vertices.data(), vertices.shape(0), faces.data(), faces.shape(0), pose};
}

std::tuple<PartArrays, PartArrays> near_arrays(const Points& vertices_a, const Faces& faces_a,
                                               const Points& vertices_b, const Faces& faces_b,
                                               const std::optional<Matrix>& pose, int workers) {
  const bvh::PlacedMesh a = placed(vertices_a, faces_a, nullptr);
  const bvh::PlacedMesh b = placed(vertices_b, faces_b, pose ? pose->data() : nullptr);
  std::array<bvh::MeshPart, 2> parts;
  {
    nb::gil_scoped_release release;
    parts = bvh::near_parts(a, b, resolve_workers(workers));
  }
  return {arrays_of(parts[0]), arrays_of(parts[1])};
}

}  // namespace

void bind_near(nb::module_& m) {
  using namespace nb::literals;
  m.def("near_parts", &near_arrays, "vertices_a"_a, "faces_a"_a, "vertices_b"_a, "faces_b"_a,
        "pose"_a = nb::none(), "workers"_a = 0,
        "Of mesh a, and of mesh b moved by a pose, the faces that may meet one of the other: "
        "vertices (v, 3), faces (n, 3) and ids (n,) of each.");
}

}  // namespace impinge
