// Pairs that were found elsewhere, decided here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdfc/collide.hpp"

namespace impinge::cdfc {

// `pairs` (n, 2) of triangles without a common corner, each once; neighbours are added. Returns
// keys of those that collide, sorted. Counts `tests`, `uncertain` and `star_tests`.
std::vector<Key> collide_listed(const Query& query, const std::int32_t* pairs, std::size_t n,
                                int workers, const Ticker::Callback& tick, Counters& counters);

}  // namespace impinge::cdfc
