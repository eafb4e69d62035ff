#include <nanobind/nanobind.h>

#include "base/pool.hpp"
#include "base/ticker.hpp"
#include "pairs/too_many_pairs.hpp"

namespace nb = nanobind;

namespace impinge {
void bind_geometry(nb::module_& m);
void bind_pairs(nb::module_& m);
void bind_bvh(nb::module_& m);
void bind_dop(nb::module_& m);
void bind_raycast(nb::module_& m);
void bind_motion(nb::module_& m);
void bind_distance(nb::module_& m);
void bind_raster(nb::module_& m);
void bind_passes(nb::module_& m);
void bind_contacts(nb::module_& m);
void bind_octree(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_soup(nb::module_& m);
void bind_cdfc(nb::module_& m);
void bind_mesh(nb::module_& m);
void bind_poses(nb::module_& m);
void bind_configurations(nb::module_& m);
void bind_solids(nb::module_& m);
void bind_relation(nb::module_& m);
void bind_penetration(nb::module_& m);
void bind_parts(nb::module_& m);
void bind_impacts(nb::module_& m);
}  // namespace impinge

NB_MODULE(IMPINGE_MODULE, m) {
  m.doc() = "Native core of impinge: exact geometry and trees on arrays.";
  m.attr("cpu") = IMPINGE_CPU;
  m.def("workers", [] { return impinge::resolve_workers(0); }, "Threads used by default.");
  m.def(
      "cpu_has_avx2",
      [] {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
        return false;
#endif
      },
      "Whether this CPU can run the AVX2 build.");
  nb::exception<impinge::Cancelled>(m, "Cancelled");
  nb::exception<impinge::TooManyPairs>(m, "TooManyPairs");
  impinge::bind_geometry(m);
  impinge::bind_pairs(m);
  impinge::bind_bvh(m);
  impinge::bind_dop(m);
  impinge::bind_raycast(m);
  impinge::bind_motion(m);
  impinge::bind_distance(m);
  impinge::bind_raster(m);
  impinge::bind_passes(m);
  impinge::bind_contacts(m);
  impinge::bind_octree(m);
  impinge::bind_sparse(m);
  impinge::bind_soup(m);
  impinge::bind_cdfc(m);
  impinge::bind_mesh(m);
  impinge::bind_poses(m);
  impinge::bind_configurations(m);
  impinge::bind_solids(m);
  impinge::bind_relation(m);
  impinge::bind_penetration(m);
  impinge::bind_parts(m);
  impinge::bind_impacts(m);
}
