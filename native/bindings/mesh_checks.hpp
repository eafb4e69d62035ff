// What all kernels take for granted about the meshes, points and poses that they are given.
#pragma once

#include <cstddef>
#include <cstdint>

namespace impinge {

// The largest coordinate that exact tests can take.
constexpr double kLargest = 1e100;

// Coordinates are finite and at most kLargest; a ValueError names the first row that is not.
void check_points(const double* points, std::size_t n, const char* argument = "vertices");

// Each face has its three vertices; a ValueError names the first that has not.
void check_faces(const std::int32_t* faces, std::size_t n, std::size_t vertices,
                 const char* argument = "faces");

// A length is a number that is not negative; infinite, where all is within it.
void check_length(double length, const char* argument);

template <class AnyPoints>
void check_points(const AnyPoints& points, const char* argument = "vertices") {
  check_points(points.data(), points.shape(0), argument);
}

template <class AnyPoints, class AnyFaces>
void check_mesh(const AnyPoints& vertices, const AnyFaces& faces) {
  check_points(vertices);
  check_faces(faces.data(), faces.shape(0), vertices.shape(0));
}

}  // namespace impinge
