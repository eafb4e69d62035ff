// The broad phase: which bodies are worth a look.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "geometry/frame.hpp"

namespace impinge {

// Two bodies with a < b.
struct BodyPair {
  std::uint32_t a, b;
  auto operator<=>(const BodyPair&) const = default;
};

// Pairs of bodies whose boxes overlap, sorted; of `only`, which is sorted, unless it is null. Boxes
// that are inside out belong to bodies without faces.
std::vector<BodyPair> broad_phase(const std::vector<Bounds>& bounds,
                                  const std::vector<BodyPair>* only, int workers);

}  // namespace impinge
