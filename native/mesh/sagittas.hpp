// How far the facets of a mesh may be from the round surface that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

// Of each of the faces (m, 3); zero where no smooth edge is near. Faces in
// one plane are one facet, however it is cut. Over an edge that turns by an angle a round surface
// leaves facets that are `h` wide across it by h / 2 tan(angle / 4); the narrower facet counts,
// since the other one may be flat. What bends in two directions leaves its facets by both; a ridge
// between two planes is no round.
std::vector<double> sagittas_of(const double* vertices, std::size_t n, const std::int32_t* faces,
                                std::size_t m, int workers);

}  // namespace impinge
