// Faces that hang together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/corners.hpp"

namespace impinge {

// The shell of each of m faces, named by its first face. Two faces are joined by an edge that they
// alone use, one in each direction, unless one of them is to stay `apart`. Ids of corners are below
// n, the same for equal vertices.
std::vector<std::int32_t> shells_of(std::span<const Corners8> faces, std::size_t m, std::size_t n,
                                    const std::vector<bool>& apart = {});

}  // namespace impinge
