// Where faces are on the surface rather than in space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

// Three numbers for each of `faces` (triples of vertex ids below `vertices`): how many edges it is
// away from three far-apart places of its own connected part. Faces with similar numbers are
// near each other on the surface, however the surface is folded.
std::vector<std::array<float, 3>> surface_coordinates(const std::vector<std::int32_t>& faces,
                                                      std::size_t vertices);

}  // namespace impinge
