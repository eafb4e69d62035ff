// A ray against one triangle: an exact verdict, and where.
#pragma once

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"

namespace impinge {

// The points origin + t * direction. `direction` is that of the user, made larger by a power of
// two where it was small, so that no product with it underflows early.
struct Ray {
  double origin[3], direction[3];
  double unit;  // the power of two: direction and t are the user's times and over it
  int axis;     // of the largest component

  Ray(const double* from, const double* along);
};

// Whether the line of the ray passes through the closed triangle without lying in its plane; `t`
// is where. The verdict and the sign of t are exact, t itself is rounded. Every triangle that has
// the vertex or the edge through which the line passes gets the same t.
bool pierces(const Ray& ray, const double* a, const double* b, const double* c, double& t);

}  // namespace impinge
