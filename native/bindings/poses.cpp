// One pose of a body, read as often as bodies move.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <cstring>
#include <optional>

namespace nb = nanobind;

namespace impinge {
namespace {

// A NaN or an infinite entry makes a row's sum NaN or infinite, so that a finite limit refuses it.
bool is_within(const double (&m)[16], double reach, double limit) {
  bool within = m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
  for (int row = 0; row < 12; row += 4) {
    const double turned = std::fabs(m[row]) + std::fabs(m[row + 1]) + std::fabs(m[row + 2]);
    within &= turned * reach + std::fabs(m[row + 3]) <= limit;
  }
  return within;
}

// The bytes of a float64 array (4, 4), row by row; nothing for any other object, and when the pose
// is not affine, or moves a coordinate of size `reach` beyond the finite `limit`.
std::optional<nb::bytes> pose_bytes(nb::handle pose, double reach, double limit) {
  Py_buffer view;
  if (PyObject_GetBuffer(pose.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  double entries[16];
  const bool is_pose = view.ndim == 2 && view.shape[0] == 4 && view.shape[1] == 4 &&
                       std::strcmp(view.format, "d") == 0;
  // copied first, so that nobody changes what is checked
  if (is_pose) std::memcpy(entries, view.buf, sizeof entries);
  PyBuffer_Release(&view);
  if (!is_pose || !is_within(entries, reach, limit)) return std::nullopt;
  return nb::bytes(entries, sizeof entries);
}

}  // namespace

void bind_poses(nb::module_& m) {
  using namespace nb::literals;
  m.def("pose_bytes", &pose_bytes, "pose"_a, "reach"_a, "limit"_a,
        "The entries of a float64 pose (4, 4) as bytes, if it is affine and moves |x| <= reach to "
        "at most the finite limit; None for all else.");
}

}  // namespace impinge
