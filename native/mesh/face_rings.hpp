// How many rings of neighbours lie between faces of one mesh.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh/welded_stars.hpp"

namespace impinge {

// For each of n pairs (n, 2) of faces whether the second is within so many rings around the first:
// neighbours are the first ring, their neighbours the second. Quick for pairs with equal first
// faces in a row.
void within_rings(const WeldedStars& stars, const std::int32_t* pairs, std::size_t n, int rings,
                  int workers, bool* within);

}  // namespace impinge
