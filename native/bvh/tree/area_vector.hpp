// Twice the area of the triangles of a leaf, as a vector: along their mean normal.
#pragma once

#include "bvh/tree/tree.hpp"

namespace impinge::bvh {

struct AreaVector {
  float at[3];
};

inline AreaVector area_vector(const Leaf& leaf) {
  Float8 u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    const Float8 corner = Float8::load(leaf.v[k]);
    u[k] = Float8::load(leaf.v[3 + k]) - corner;
    v[k] = Float8::load(leaf.v[6 + k]) - corner;
  }
  return {{total(mul_sub(u[1], v[2], u[2] * v[1])), total(mul_sub(u[2], v[0], u[0] * v[2])),
           total(mul_sub(u[0], v[1], u[1] * v[0]))}};
}

}  // namespace impinge::bvh
