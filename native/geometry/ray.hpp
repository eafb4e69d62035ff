// A ray against one triangle: an exact verdict, and where.
#pragma once

#include <cstring>

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"

namespace impinge {

// The points origin + t * direction. `direction` is that of the user, made larger by a power of
// two where it was small, so that no product with it underflows early.
struct Ray {
  double origin[3], direction[3];
  double unit;  // the power of two: direction and t are the user's times and over it
  int axis;     // of the largest component

  void set(const double* from, const double* along) {
    const double x = std::abs(along[0]), y = std::abs(along[1]), z = std::abs(along[2]);
    set(from, along, z > (x >= y ? x : y) ? 2 : x >= y ? 0 : 1);
  }
  void set(const double* from, const double* along, int largest) {
    std::memcpy(origin, from, sizeof origin);
    std::memcpy(direction, along, sizeof direction);
    axis = largest;
    unit = 1;
    if (!(std::abs(along[axis]) > 0x1p-20)) enlarge();
  }

 private:
  void enlarge();
};

// Whether the line of the ray passes through the closed triangle without lying in its plane; `t`
// is where. The verdict and the sign of t are exact, t itself is rounded. Every triangle that has
// the vertex or the edge through which the line passes gets the same t.
bool pierces(const Ray& ray, const double* a, const double* b, const double* c, double& t);

// The same t when the line is known to pass through the inside; `facing` is the sign of direction
// times normal.
double inner_depth(const Ray& ray, const double* a, const double* b, const double* c, int facing);

}  // namespace impinge
