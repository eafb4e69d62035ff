// Impacts of bodies whose vertices move along straight lines: all of them, or how far all motions
// are free.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/ticker.hpp"
#include "motion/linear/impact.hpp"
#include "motion/linear/swept_surface.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge::motion {

// A vertex and the corners of a face, or the ends of two edges, and what of them is in which body.
struct FoundImpact {
  Impact impact;
  FeaturePair pair;
  std::int32_t body[2];  // of the first feature, of the second
  std::int32_t ids[4];
};

struct ImpactCounters {
  std::uint64_t body_pairs = 0, leaf_pairs = 0, vertex_face = 0, edge_edge = 0, undecided = 0;
  // the last two are sums of all threads
  double sweep_seconds = 0, candidate_seconds = 0, narrow_seconds = 0;
};

// Which bodies with which, and which with themselves; of two that do not move none is asked.
struct Encounters {
  const std::vector<BodyPair>* only;  // sorted; null is all
  const std::vector<std::uint32_t>& alone;
};

struct Impacts {
  Buffer<FoundImpact> found;  // by time, then kind, bodies and ids
  ImpactCounters counters;
};

Impacts find_impacts(const std::vector<MovingBody>& bodies, const Encounters& encounters,
                     const Limits& limits, int workers, const Ticker::Callback& tick);

struct FreeStep {
  double time;  // certainly free until then; at most 1
  ImpactCounters counters;
};

FreeStep find_free_step(const std::vector<MovingBody>& bodies, const Encounters& encounters,
                        const Limits& limits, int workers, const Ticker::Callback& tick);

}  // namespace impinge::motion
