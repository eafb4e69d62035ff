#include "bindings/poses.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "bindings/mesh_checks.hpp"

namespace impinge {
namespace {

bool poses_fit(const Matrices& poses, double reach, double limit) {
  for (std::size_t i = 0; i < poses.shape(0); ++i) {
    if (!pose_fits(poses.data() + 16 * i, reach, limit)) return false;
  }
  return true;
}

std::optional<NewArray<double, -1, 4, 4>::Array> copy_poses(const Matrices& poses, double reach,
                                                            double limit) {
  if (!poses_fit(poses, reach, limit)) return std::nullopt;
  const std::size_t count = poses.shape(0);
  NewArray<double, -1, 4, 4> copy(16 * count);
  std::copy_n(poses.data(), 16 * count, copy.data.get());
  return copy.give({count, 4, 4});
}

// Copies an array of float64 numbers of this shape, row by row; false for any other object.
bool read_numbers(nb::handle array, std::initializer_list<Py_ssize_t> shape, double (&pose)[16]) {
  const void* numbers = array_rows(array, element_type<double>(), shape).data;
  if (numbers) std::memcpy(pose, numbers, sizeof pose);
  return numbers != nullptr;
}

std::optional<nb::bytes> placement_of(nb::handle array, double reach, double limit) {
  double pose[16];
  if (!read_numbers(array, {4, 4}, pose) || !pose_fits(pose, reach, limit)) return std::nullopt;
  return nb::bytes(pose, sizeof pose);
}

}  // namespace

void check_poses(const double* poses, std::size_t count, const Bounds& bounds) {
  const double reach = reach_of(bounds);
  for (std::size_t i = 0; i < count; ++i) {
    if (!pose_fits(poses + 16 * i, reach, kLargest)) {
      throw nb::value_error(
          ("pose " + std::to_string(i) + " is not finite, not affine, or moves beyond 1e100")
              .c_str());
    }
  }
}

bool read_pose(nb::handle array, double (&pose)[16]) {
  return read_numbers(array, {1, 4, 4}, pose);
}

void bind_poses(nb::module_& m) {
  using namespace nb::literals;
  m.def("copy_poses", &copy_poses, nb::arg("poses").noconvert(), "reach"_a, "limit"_a,
        "A copy of poses (m, 4, 4) for which poses_fit holds, else None.");
  m.def("poses_fit", &poses_fit, "poses"_a, "reach"_a, "limit"_a,
        "Whether all poses (m, 4, 4) are finite, affine and move |x| <= reach to at most limit.");
  m.def("placement_of", &placement_of, "pose"_a.none(), "reach"_a, "limit"_a,
        "The bytes of a pose (4, 4) for which poses_fit holds; None for all else.");
}

}  // namespace impinge
