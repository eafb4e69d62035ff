// How much the shells of a mesh enclose, and whether they are inside out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge {

// The signed volumes of `count` shells in units of the cube of the largest side of the box of all
// faces, so that they neither overflow nor vanish. `owner` has the shell of each of m faces, below
// 0 for none.
std::vector<double> shell_volumes(const double* vertices, const std::int32_t* faces, std::size_t m,
                                  const std::int32_t* owner, std::size_t count);

}  // namespace impinge
