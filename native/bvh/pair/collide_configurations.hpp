// All colliding pairs of triangles of a scene in many configurations, or whether there are any.
#pragma once

#include "bvh/pair/collide.hpp"
#include "bvh/pair/configurations.hpp"

namespace impinge::bvh {

// Ids of faces count through all bodies, as in `collide_scene`; one run for each configuration.
Found<Counters> collide_configurations(const Asked& asked, const Rule& rule, int workers,
                                       const Ticker::Callback& tick);

// Whether there is any such pair in each of them; `rule.first` is taken for granted.
void touch_configurations(const Asked& asked, const Rule& rule, int workers,
                          const Ticker::Callback& tick, bool* touches);

}  // namespace impinge::bvh
