// The float frame of a tree in its place, and the map from one such frame to another.
#pragma once

#include "base/lanes.hpp"
#include "boxes/hierarchy.hpp"
#include "geometry/frame.hpp"
#include "geometry/pose.hpp"

namespace impinge {

// Holds all of a body.
struct Ball {
  double centre[3], radius;
};

// Whether balls certainly have no point in common, of the squared distance of their centres and the
// sum of their radii. The last term is for squares too small for their rounding to be relative.
// What overflows or is not a number is not apart.
inline bool are_apart(double squared, double reach) {
  return squared > reach * reach * (1 + 1e-12) + 1e-300;
}
// Whether they certainly have no point in common.
bool apart(const Ball& a, const Ball& b);
bool apart(const Bounds& a, const Bounds& b);

// What matters of a tree to the rounding of a pose: its frame, and where its vertices are.
struct PlacedFrame {
  Frame frame;
  Bounds bounds;
  Pose pose;

  Bounds world_bounds() const;
  // Of the ball with this radius around the centre of the tree's frame, in its units.
  Ball world_ball(double radius) const;
  // A length of the tree's frame grows by no more than this factor in the world, and one between
  // vertices, as they are rounded, by so much more.
  double world_stretch() const;
  double world_margin() const;
  // The longest image of a unit vector of the tree's frame, per coordinate.
  double size() const;
};

// The map from b's float frame to a's, with bounds on what rounding can do.
//
// Let G(w) = scale_a (Q w + q) with Q, q a computed inverse of a's pose. G is one to one, whatever
// the rounding of Q and q, so two triangles meet in the world iff their images under G do. `error`
// bounds, per coordinate, the distance between G of a world vertex and the float the filter works
// with, for the vertices of both trees:
//   a: kRounding + scale_a (|Q Ra - I| |v| + |Q ta + q + centre_a| + |Q| rounding of the world)
//   b: (kRounding + float evaluation) |R| + float evaluation of t + scale_a |Q| rounding of b
struct FrameMap {
  float r[3][3], t[3];
  float error;                    // of every vertex, in a's frame
  float box_margin;               // to add to b's boxes before they are compared with a's
  float slab_slack;               // to add to half the slabs of a before patches of b meet them
  double matrix[3][3], shift[3];  // the map before it was rounded to r and t
  double own_error;               // of a vertex of a and one of b together, without that rounding
  double widening;                // largest row sum of the matrix
  double stretch;  // no distance grows by more than this factor from the world to a's frame

  FrameMap(const PlacedFrame& a, const PlacedFrame& b);

  Box8 boxes(const Box8& own) const;
  Box8 boxes(const Node& node) const { return boxes(load_boxes(node)); }
  Box8 boxes(const Box& box) const { return boxes(broadcast(box)); }
  void point(float p[3]) const;

  // A distance of the world in a's frame, rounded up.
  float reach(double distance) const;
  // Boxes of b then overlap those of a wherever points in them are within the distance.
  void grow(double distance) { box_margin += reach(distance); }
};

// The same for a tree against itself: float coordinates against G of the world's.
float self_error(const PlacedFrame& placed);
float self_reach(const PlacedFrame& placed, double distance);

}  // namespace impinge
