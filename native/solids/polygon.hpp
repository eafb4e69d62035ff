// Polygons with holes, cut into triangles without new corners.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace impinge::solids {

struct Vertex2 {
  std::int32_t name;
  const double* at;
};

// Loops in a plane that is seen along an axis: the inside is on the left of each when `facing` is
// 1, on the right when it is -1. Every side of a loop is a side of one triangle, and all others are
// sides of two, run through in both directions, whatever the loops look like: corners may be
// rounded.
std::vector<std::array<std::int32_t, 3>> triangulate(const std::vector<std::vector<Vertex2>>& loops,
                                                     int axis, int facing);

}  // namespace impinge::solids
