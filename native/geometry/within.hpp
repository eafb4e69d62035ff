// Whether two triangles that do not meet are within a distance of each other.
#pragma once

#include <cstdint>

#include "geometry/vec.hpp"

namespace impinge {

enum class Answer : std::uint8_t { no, yes, unknown };

// Exactly, for every input; a distance that is equal is within.
bool within(const Triangle& a, const Triangle& b, double distance);

// In float64, with a proof for every yes and no; what is nearly equal stays unknown.
Answer surely_within(const Triangle& a, const Triangle& b, double distance);

}  // namespace impinge
