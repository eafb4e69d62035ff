// Where two triangles meet, in float64. Which features carry a corner is decided exactly; its
// coordinates depend on nothing else, so the same corner found in two pairs is bit-identical.
#pragma once

#include "geometry/meeting.hpp"

namespace impinge {

// The point of a site: within the boxes of both carriers, and on them up to rounding.
void locate(const Site& site, double (&point)[3]);

struct Contact {
  Kind kind = Kind::none;
  double segment[2][3];  // its ends; equal for a point, the longest diagonal of an outline
  int corners = 0;       // of the outline of a coplanar overlap, else none
  double outline[6][3];  // counter-clockwise about the first triangle's normal
};

Contact contact(const Triangle& a, const Triangle& b);

}  // namespace impinge
