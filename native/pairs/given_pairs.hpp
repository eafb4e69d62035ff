// Candidates that were found elsewhere, decided here: all that a detector outside the core needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ticker.hpp"
#include "pairs/soup_pairs.hpp"

namespace impinge {

// `pairs` (n, 2) of triangles without a common corner, each once; neighbours are added. Returns
// keys of those that collide, sorted.
Buffer<Key> collide_given(const SoupQuery& query, const std::int32_t* pairs, std::size_t n,
                          int workers, const Ticker::Callback& tick, Tally& tally);

}  // namespace impinge
