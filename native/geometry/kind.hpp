// How two triangles meet, or that they nearly do.
#pragma once

#include <cstdint>

namespace impinge {

// The shape of the intersection. `crossing` is a segment where each triangle has vertices strictly
// on both sides of the other's plane; `segment` is any other; `coplanar` is an overlap with
// area. `near` triangles do not meet: they are within the margin of a query.
enum class Kind : std::uint8_t { none, crossing, point, segment, coplanar, near };

}  // namespace impinge
