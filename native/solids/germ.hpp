// Points infinitely near a given one, and the winding number there.
//
// Such a point has the sign of the first of several values that is not zero, for every linear form:
// so it is never on an edge that is seen edge-on, nor on a plane, and all signs are those of the
// given vertices.
#pragma once

#include <cstdint>

#include "geometry/orient.hpp"
#include "solids/exact_geometry.hpp"
#include "solids/placed_surface.hpp"

namespace impinge::solids {

// Next to at[0], towards at[1], and from there a little towards at[2]: inside a face with these
// corners. A linear form that is zero at the first has the sign it has at the second, and so on.
struct FaceGerm {
  const double* at[3];

  // A box around it.
  const double* low() const { return at[0]; }
  const double* high() const { return at[0]; }
  // orient2d(a, b, .) and orient3d(a, b, c, .) for it.
  int turn(const double* a, const double* b, int axis) const {
    for (const double* p : at) {
      if (const int s = orient2d(a, b, p, axis)) return s;
    }
    return 0;
  }
  int side(const double* a, const double* b, const double* c) const {
    for (const double* p : at) {
      if (const int s = orient3d(a, b, c, p)) return s;
    }
    return 0;
  }
};

// A point moved by sign (e, e², e³) with an infinitely small e.
struct MovedGerm {
  const double* point;
  int sign;

  const double* low() const { return point; }
  const double* high() const { return point; }
  int turn(const double* a, const double* b, int axis) const;
  int side(const double* a, const double* b, const double* c) const;
};

// Next to a point that need not be given, in a first direction, and less so in the others.
class ExactGerm {
 public:
  ExactGerm(const ExactPoint& point, const ExactVector& first, const ExactVector& second,
            const ExactVector& third);

  const double* low() const { return low_; }
  const double* high() const { return high_; }
  int turn(const double* a, const double* b, int axis) const;
  int side(const double* a, const double* b, const double* c) const;

 private:
  static int certain_sign(double value, double weight, double moved);

  const ExactPoint& point_;
  const ExactVector* direction_[3];
  double low_[3], high_[3];
  double near_[3], off_ = 0;  // the point is as near as this, per coordinate
};

// How often a surface winds around a germ that is not on it; `without` is a face that does not
// count. The germ must have an area seen along the axis.
template <class Germ>
int winding(const PlacedSurface& surface, const Germ& germ, int axis, std::int32_t without = -1);

// Whether the germ is on the surface.
bool is_on(const PlacedSurface& surface, const FaceGerm& germ, int axis);

}  // namespace impinge::solids
