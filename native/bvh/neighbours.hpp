// Two triangles of one mesh that share corners.
#pragma once

#include <cstdint>

#include "simd/lanes.hpp"

namespace impinge {

// Whether two triangles with one or two common corners certainly meet in nothing else: the other
// corners of one lie strictly on one side of the other's plane. `error` as in the float filter.
bool certainly_only_neighbours(const Point4* points, const std::int32_t (&a)[3],
                               const std::int32_t (&b)[3], float error);

}  // namespace impinge
