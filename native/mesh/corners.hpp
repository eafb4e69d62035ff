// The corners of eight triangles, lane by lane.
#pragma once

#include <cstdint>

#include "base/lanes.hpp"

namespace impinge {

struct alignas(32) Corners8 {
  std::int32_t id[3][kLanes];  // vertex of each corner, the same id for equal coordinates
};

// Lanes of eight triangles with a corner in common with those of others, by the ids of corners.
inline unsigned sharing(const Int8 (&a)[3], const Int8 (&b)[3]) {
  const auto among = [&](const Int8& id) { return (id == b[0]) | (id == b[1]) | (id == b[2]); };
  return bits(among(a[0]) | among(a[1]) | among(a[2]));
}

}  // namespace impinge
