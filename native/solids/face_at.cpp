#include "solids/face_at.hpp"

#include "geometry/vec.hpp"

namespace impinge::solids {
namespace {

// For a point in the plane of the face: whether it is on the face, and how.
bool place(const SkewRay& ray, FaceAt& at) {
  at.facing = 0;
  for (int rank = 0; rank < 3 && at.facing == 0; ++rank) {
    at.axis = ray.axis_at(rank);
    at.facing = at.normal(at.axis);
  }
  if (at.facing == 0) return false;  // no area
  at.edges = 0;
  for (int k = 0; k < 3; ++k) {
    const double *from = at.corner[k], *to = at.corner[k == 2 ? 0 : k + 1];
    const int inward = orient2d(from, to, ray.from, at.axis);
    if (inward == -at.facing) return false;
    if (inward != 0) continue;
    const bool ends_here = same_point(to, ray.from);
    at.end[0] = at.edges ? at.end[0] : from;
    at.end[1] = to;
    at.edge[at.edges++] = ends_here ? FaceAt::Edge{from, -1} : FaceAt::Edge{to, 1};
  }
  if (at.edges == 2) {
    for (int i = 0; i < 2; ++i) at.end[i] = at.edge[i].tip;
  }
  return true;
}

}  // namespace

// With A = a - p and so on, the ray crosses the face when r is in the cone of A, B, C. By Cramer's
// rule r = (det(r,B,C) A + det(r,C,A) B + det(r,A,B) C) / det(A,B,C): the three turns must have the
// sign of det(A,B,C), which is that of r times the normal then. When that is not zero, neither is a
// turn. When it is zero and p is on the face, the turns are r times multiples of one normal, and no
// two of them have opposite signs.
Passage cross(const SkewRay& ray, const double* a, const double* b, const double* c, FaceAt& at) {
  const int turn[3] = {ray.turn(a, b), ray.turn(b, c), ray.turn(c, a)};
  if (turn[0] * turn[1] < 0 || turn[1] * turn[2] < 0 || turn[2] * turn[0] < 0) return {};
  const int facing = orient3d(a, b, c, ray.from);
  if (facing != 0) return {turn[0] == facing ? facing : 0, false};
  at.corner[0] = a;
  at.corner[1] = b;
  at.corner[2] = c;
  return {0, place(ray, at)};
}

}  // namespace impinge::solids
