// Which triangles lie under pixels that are on, and where.
#pragma once

#include <cstdint>

#include "raster/pyramid.hpp"
#include "raster/seen.hpp"

namespace impinge::raster {

// `boxes` (size, 4): the part of each triangle's box that the pyramid says holds pixels that are
// on; all zero when there is none.
void separate(const Seen& seen, const Pyramid& pyramid, int workers, std::int32_t* boxes);

}  // namespace impinge::raster
