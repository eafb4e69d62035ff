// Boxes of triangles along the axes of a cluster.
#pragma once

#include <cstdint>
#include <span>

#include "base/lanes.hpp"
#include "cdfc/axes.hpp"
#include "geometry/gather.hpp"

namespace impinge::cdfc {

// Lowest and highest coordinate along each axis.
struct TurnedBox {
  float low[3], high[3];
};

// Of the triangles chosen; `corners` (m, 3) are rows of `points`. Rounded outward: a point of two
// triangles is in both of their boxes.
void turned_boxes(const Point4* points, const std::int32_t* corners,
                  std::span<const std::uint32_t> chosen, const Axes& axes, TurnedBox* boxes);

}  // namespace impinge::cdfc
