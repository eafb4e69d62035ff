// How two triangles meet.
#pragma once

#include <cstdint>

namespace impinge {

// The shape of the intersection. `crossing` is a segment where each triangle has vertices strictly
// on both sides of the other's plane; `segment` is any other; `coplanar` is an overlap with area.
enum class Kind : std::uint8_t { none, crossing, point, segment, coplanar };

}  // namespace impinge
