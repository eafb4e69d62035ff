// Pairs of triangles that are certainly farther apart than a margin, eight at a time in float32.
#pragma once

#include "pairs/float_filter.hpp"

namespace impinge {

// Lanes of the eight pairs from `first` on. `error` bounds the distance of each coordinate from the
// truth, and `reach` is the margin, rounded up, both in the units of the batch.
unsigned certainly_beyond(const Batch& batch, int first, float error, float reach);

}  // namespace impinge
