// The corners of eight triangles, lane by lane.
#pragma once

#include <cstdint>

#include "base/lanes.hpp"

namespace impinge {

struct alignas(32) Corners8 {
  std::int32_t id[3][kLanes];  // vertex of each corner, the same id for equal coordinates
};

}  // namespace impinge
