#include "bindings/poses.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace impinge {
namespace {

bool poses_fit(const Matrices& poses, double reach, double limit) {
  for (std::size_t i = 0; i < poses.shape(0); ++i) {
    if (!pose_fits(poses.data() + 16 * i, reach, limit)) return false;
  }
  return true;
}

std::optional<nb::ndarray<nb::numpy, const double, nb::shape<-1, 4, 4>>> copy_poses(
    const Matrices& poses, double reach, double limit) {
  if (!poses_fit(poses, reach, limit)) return std::nullopt;
  const std::size_t count = poses.shape(0);
  Block<double> copy = make_block<double>(16 * count);
  std::copy_n(poses.data(), 16 * count, copy.get());
  nb::capsule owner(copy.get(), give_back);
  return nb::ndarray<nb::numpy, const double, nb::shape<-1, 4, 4>>(copy.release(), {count, 4, 4},
                                                                   owner);
}

bool placement_fits(const nb::bytes& placement, double reach, double limit) {
  double pose[16];
  if (placement.size() != sizeof pose) return false;
  std::memcpy(pose, placement.data(), sizeof pose);
  return pose_fits(pose, reach, limit);
}

}  // namespace

bool pose_fits(const double* m, double reach, double limit) {
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1) return false;
  for (const double* row = m; row < m + 12; row += 4) {
    const double size = (std::fabs(row[0]) + std::fabs(row[1]) + std::fabs(row[2])) * reach;
    if (!(size + std::fabs(row[3]) <= limit)) return false;
    for (int k = 0; k < 4; ++k) {
      if (!std::isfinite(row[k])) return false;
    }
  }
  return true;
}

bool read_pose(nb::handle array, double (&pose)[16]) {
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool is_one = view.ndim == 3 && view.shape[0] == 1 && view.shape[1] == 4 &&
                      view.shape[2] == 4 && std::strcmp(view.format, "d") == 0;
  if (is_one) std::memcpy(pose, view.buf, sizeof pose);
  PyBuffer_Release(&view);
  return is_one;
}

void bind_poses(nb::module_& m) {
  using namespace nb::literals;
  m.def("copy_poses", &copy_poses, nb::arg("poses").noconvert(), "reach"_a, "limit"_a,
        "A read-only copy of poses (m, 4, 4) for which poses_fit holds, else None.");
  m.def("poses_fit", &poses_fit, "poses"_a, "reach"_a, "limit"_a,
        "Whether all poses (m, 4, 4) are finite, affine and move |x| <= reach to at most limit.");
  m.def("placement_fits", &placement_fits, "placement"_a, "reach"_a, "limit"_a,
        "Whether the bytes are the entries of a float64 pose (4, 4) for which poses_fit holds.");
}

}  // namespace impinge
