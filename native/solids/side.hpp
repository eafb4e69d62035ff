// On which side of a solid a point is.
//
// The mesh of the tree is closed: every edge is used equally often in both directions, equal
// vertices counting as one (mesh/closed.hpp). The solid is where its winding number is above 0, or
// below 0 for a mesh that is turned. A point is on the surface when it is on the boundary of this
// set: a face with solid on both sides does not count, nor one with none. Exact for the float64
// coordinates of point and vertices; a mesh under a pose needs a tree of the vertices in the world.
#pragma once

#include "bvh/tree/tree.hpp"

namespace impinge::solids {

enum class Side : std::int8_t { inside = -1, on = 0, outside = 1 };

// Which winding numbers are solid.
enum class Sense { as_given, turned };

inline bool is_solid(int winding, Sense sense) {
  return sense == Sense::turned ? winding < 0 : winding > 0;
}

// One point, finite and at most 1e100 in size. Safe from many threads. `axis` is that of the ray
// which is counted along: any gives the same answer.
Side side_of(const bvh::Tree& tree, const double* point, Sense sense, int axis = 0);

// The least and the greatest winding number next to a point: equal unless it is on the surface.
struct WindingRange {
  int least, most;
};
WindingRange winding_range(const bvh::Tree& tree, const double* point, int axis = 0);

}  // namespace impinge::solids
