// Equal vertices of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

// first[i] = the smallest index of a vertex with exactly the coordinates of vertex i; -0.0 equals
// 0.0. Nothing when all vertices differ. `vertices` is (n, 3). Linear time.
std::vector<std::int32_t> weld(const double* vertices, std::size_t n, int workers);

}  // namespace impinge
