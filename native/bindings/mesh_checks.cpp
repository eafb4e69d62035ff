#include "bindings/mesh_checks.hpp"

#include <nanobind/nanobind.h>

#include <sstream>
#include <string>

#include "base/largest.hpp"

namespace impinge {
namespace {

template <class Number>
[[noreturn]] void refuse(const char* argument, std::size_t row, const Number* values,
                         const std::string& problem) {
  std::ostringstream text;
  text << argument << '[' << row << "] = (" << values[0] << ", " << values[1] << ", " << values[2]
       << ") " << problem;
  throw nanobind::value_error(text.str().c_str());
}

}  // namespace

void check_points(const double* points, std::size_t n, const char* argument) {
  if (all_within(points, 3 * n, kLargest)) return;
  std::size_t row = 0;
  while (row + 1 < n && all_within(points + 3 * row, 3, kLargest)) ++row;
  refuse(argument, row, points + 3 * row, "is not finite, or larger than 1e100");
}

void check_length(double length, const char* argument) {
  if (!(length >= 0)) {
    throw nanobind::value_error((std::string(argument) + " must not be negative").c_str());
  }
}

void check_faces(const std::int32_t* faces, std::size_t n, std::size_t vertices,
                 const char* argument) {
  if (n == 0 || largest_of(faces, 3 * n) < vertices) return;
  std::size_t row = 0;
  while (row + 1 < n && largest_of(faces + 3 * row, 3) < vertices) ++row;
  refuse(argument, row, faces + 3 * row,
         "has an index that is not one of " + std::to_string(vertices) + " vertices");
}

}  // namespace impinge
