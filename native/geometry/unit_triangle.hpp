// The unit-triangle test (Zachmann and Knittel 2003, section 3.5) in plain float64: a triangle is
// mapped to (0,0,0), (1,0,0), (0,1,0), where an edge that pierces it is found without division.
#pragma once

#include "geometry/vec.hpp"

namespace impinge {

// The map of one triangle, made once and used for many others.
struct UnitTriangle {
  const double* origin = nullptr;
  Vector row[3] = {};
  bool singular = true;  // no area: nothing can be mapped, no edge pierces it

  UnitTriangle() = default;
  explicit UnitTriangle(const Triangle& t);
  Vector operator()(const double* p) const;
};

// What a map of it would tell as `singular`.
bool without_area(const Triangle& t);

// `open` is the printed test, which skips edges that end on the plane and coplanar triangles;
// `closed` counts all touching.
enum class Boundary { open, closed };

// Does an edge of t hit the triangle `other`, whose map is known?
bool some_edge_hits(const Triangle& t, const Triangle& other, const UnitTriangle& map,
                    Boundary boundary);

// An edge of one of the triangles hits the other.
bool unit_triangle(const Triangle& a, const Triangle& b, Boundary boundary);

}  // namespace impinge
