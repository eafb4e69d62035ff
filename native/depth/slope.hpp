// Where a distance from a boundary has no greatest value.
//
// Let the distance of a point from the boundary be not less than that of all points around. Then
// there is no direction in which all its closest points are: going the other way would lead away
// from all of them. For the points of a cell, the closest ones are within the distance of its
// centre and twice its radius from there.
#pragma once

#include "bvh/tree/tree.hpp"
#include "depth/distance_to.hpp"
#include "geometry/vec.hpp"

namespace impinge::depth {

// A cell seen from a boundary.
struct CellView {
  const bvh::Tree& tree;  // of the boundary
  const double* centre;
  const double* half;  // sides
  double reach;        // where the closest points of its points are, from the centre
};

// Whether there is a direction in which all faces within reach are, from each point of the cell.
// `towards`: a unit vector to begin with, at best to the closest point. False when none is found.
bool is_before(const CellView& cell, Vector towards);

// Whether the faces within reach have normals on one side of a plane through zero. Next to a
// closest point the surface is a graph over that plane with the solid on one side, and what is
// straight below a graph is closest to no point on or under it: so for points in the solid this is
// such a direction too. False when there are too many faces.
bool faces_one_way(const CellView& cell);

// How high over a point of the boundary the plane is beyond which, within reach, there is nothing
// of the solid. Infinite when there is none, or none that is at most so high.
double wall_height(const CellView& cell, const double* at, const Vector& outward, double most,
                   const DistanceTo& to);

}  // namespace impinge::depth
