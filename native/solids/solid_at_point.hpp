// Whether a point of a surface belongs to its solid.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "solids/face_cuts.hpp"
#include "solids/placed_surface.hpp"

namespace impinge::solids {

// Whether there is solid next to a point; `faces` are all of the surface that have it on them.
bool is_in_solid(const PlacedSurface& surface, const ExactPoint& point,
                 const std::vector<const CutFace*>& faces);

// Points that were seen before.
class ExactPoints {
 public:
  // Whether the point is new.
  bool add(const ExactPoint& point);

 private:
  std::map<std::array<double, 3>, std::vector<ExactPoint>> points_;  // by rounded coordinates
};

}  // namespace impinge::solids
