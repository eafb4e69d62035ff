// Do two closed triangles meet, and how? Exact for every input, zero-area triangles included.
#pragma once

#include "geometry/kind.hpp"
#include "geometry/vec.hpp"

namespace impinge {

// Triangles of different bodies.
Kind classify(const Triangle& a, const Triangle& b);

// Triangles of one body: what lies within the hull of the vertices they share does not count.
// Two faces with the same corners count only if duplicates are asked for.
Kind classify_self(const Triangle& a, const Triangle& b, bool report_duplicates);

// Whether they have a vertex in common, by its coordinates.
bool share_vertex(const Triangle& a, const Triangle& b);

inline bool intersects(const Triangle& a, const Triangle& b) {
  return classify(a, b) != Kind::none;
}

}  // namespace impinge
