// The unit-triangle test (Zachmann and Knittel 2003, section 3.5) in plain float64: a triangle is
// mapped to (0,0,0), (1,0,0), (0,1,0), where an edge that pierces it is found without division.
#pragma once

#include "vec.hpp"

namespace impinge {

// The map of one triangle, made once and used for many others.
struct UnitTriangle {
  const double* origin;
  Vector row[3];
  bool singular;  // no area: nothing can be mapped, no edge pierces it

  explicit UnitTriangle(const Triangle& t);
  Vector operator()(const double* p) const;
};

enum class Boundary { open, closed };

// `open` is the printed test, which skips edges that end on the plane and coplanar triangles;
// `closed` counts all touching.
bool unit_triangle(const Triangle& a, const Triangle& b, Boundary boundary);

}  // namespace impinge
