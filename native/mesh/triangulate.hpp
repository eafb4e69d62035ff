// Polygons in space into triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace impinge {

// Faces of polygons with `sizes` >= 3 corners, which are numbers of `vertices` (n, 3), one polygon
// after the other: sizes - 2 for each, wound as it is. A convex polygon becomes a fan, any other
// one is cut into ears, seen along the axis to which its normal is nearest. A fan is also what is
// left for one that crosses itself, or has a vertex that does not exist or is not finite.
void triangulate(const double* vertices, std::size_t n, std::span<const std::int64_t> corners,
                 std::span<const std::int64_t> sizes, std::int64_t* faces);

}  // namespace impinge
