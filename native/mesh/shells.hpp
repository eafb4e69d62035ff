// Faces that hang together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/corners.hpp"

namespace impinge {

// The shell of each of m slots, named by one of its slots: joined through edges that two faces use,
// one in each direction. Ids of corners are the same for equal vertices.
std::vector<std::int32_t> shells_of(std::span<const Corners8> faces, std::size_t m);

}  // namespace impinge
