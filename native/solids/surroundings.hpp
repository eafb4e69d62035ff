// What is seen from a point along a ray: the faces on which it is, and the crossings of all others.
#pragma once

#include <vector>

#include "bvh/tree/tree.hpp"
#include "geometry/skew_ray.hpp"
#include "solids/face_at.hpp"

namespace impinge::solids {

struct Surroundings {
  std::vector<FaceAt> faces;
  int others = 0;  // the sum of the signs of their crossings

  // The ray starts within the bounds of the tree.
  Surroundings(const bvh::Tree& tree, const SkewRay& ray);
};

}  // namespace impinge::solids
