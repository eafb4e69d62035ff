// Boxes that are not empty, moved together in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge::raster {

struct Packed {
  std::vector<std::int32_t> ids;    // ascending rows of the sparse boxes
  std::vector<std::int32_t> boxes;  // (ids, 4)
};

// By a prefix sum over `sparse` (n, 4).
Packed pack_by_scan(const std::int32_t* sparse, std::size_t n);

// As a GPU without scattered writes does it, on an image of `width` columns: rows are counted, each
// is shifted to the right by following the nearest box to the left, and the rows are laid end to
// end. Only the number of steps depends on the data.
Packed pack_by_sweep(const std::int32_t* sparse, std::size_t n, std::size_t width);

}  // namespace impinge::raster
