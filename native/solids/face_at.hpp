// A face with a point on it, as it looks from that point: a plane, a half-plane or a wedge.
#pragma once

#include "geometry/skew_ray.hpp"

namespace impinge::solids {

struct FaceAt {
  // An edge of the face through the point, run through as the face does: from the point to `tip`
  // when the sign is 1, from `tip` to the point when it is -1.
  struct Edge {
    const double* tip;
    int sign;
  };

  const double* corner[3];
  int facing;  // sign of direction times normal
  int axis;    // along which the face is seen with an area
  int edges;   // 0 in a plane, 1 in a half-plane, 2 in a wedge
  Edge edge[2];
  const double* end[2];  // where the edges lead to: beyond these the face does not go on

  // Of the normal along an axis.
  int normal(int k) const { return orient2d(corner[0], corner[1], corner[2], k); }
  // Sign of normal times the way from the point to v.
  int side(const double* v) const { return -orient3d(corner[0], corner[1], corner[2], v); }
  // Whether the face, which goes on for ever, has the direction to v, a point of its plane.
  bool reaches(const double* point, const double* v) const {
    for (int i = 0; i < edges; ++i) {
      const int inward = orient2d(edge[i].tip, v, point, axis) * edge[i].sign;
      if (inward == -facing) return false;
    }
    return true;
  }
};

// What a ray from p has to do with a face.
struct Passage {
  int sign = 0;     // of direction times normal when the ray crosses the face
  bool on = false;  // p is on the face, which has an area
};

// `at` is filled when p is on the face.
Passage cross(const SkewRay& ray, const double* a, const double* b, const double* c, FaceAt& at);

}  // namespace impinge::solids
