// Where a tree stands in the world, and how two trees stand to each other.
#pragma once

#include <array>
#include <cstdint>

#include "bvh/tree.hpp"
#include "geometry/vec.hpp"
#include "simd/lanes.hpp"

namespace impinge {

struct Pose {
  double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};  // world = m (v, 1)
  bool identity = true;

  Pose() = default;
  explicit Pose(const double* matrix);  // 4x4, row-major
};

// Holds all of a body.
struct Ball {
  double centre[3], radius;
};

// Whether they certainly have no point in common.
bool apart(const Ball& a, const Ball& b);
bool apart(const Bounds& a, const Bounds& b);

// What matters of a tree to the rounding of a pose: its frame, and where its vertices are.
struct Standing {
  Frame frame;
  Bounds bounds;
  Pose pose;

  Bounds world_bounds() const;
  // Of the ball with this radius around the centre of the tree's frame, in its units.
  Ball world_ball(double radius) const;
  // The longest image of a unit vector of the tree's frame, per coordinate.
  double size() const;
};

// A tree and its pose. World coordinates are float64, rounded as `transform_point` does.
struct Placed {
  const Tree* tree = nullptr;
  Pose pose;

  Triangle triangle(std::size_t slot) const;
  Triangle triangle_of_face(std::int32_t face) const;
  Standing standing() const { return {tree->frame(), tree->bounds(), pose}; }
  Bounds world_bounds() const { return standing().world_bounds(); }
  double size() const { return standing().size(); }

 private:
  Triangle in_world(const std::array<std::int32_t, 3>& corners) const;
};

// The map from b's float frame to a's, with bounds on what rounding can do.
//
// Let G(w) = scale_a (Q w + q) with Q, q a computed inverse of a's pose. G is one to one, whatever
// the rounding of Q and q, so two triangles meet in the world iff their images under G do. `error`
// bounds, per coordinate, the distance between G of a world vertex and the float the filter works
// with, for the vertices of both trees:
//   a: kRounding + scale_a (|Q Ra - I| |v| + |Q ta + q + centre_a| + |Q| rounding of the world)
//   b: (kRounding + float evaluation) |R| + float evaluation of t + scale_a |Q| rounding of b
struct Relative {
  float r[3][3], t[3];
  float error;                    // of every vertex, in a's frame
  float box_margin;               // to add to b's boxes before they are compared with a's
  float slab_slack;               // to add to half the slabs of a before patches of b meet them
  double matrix[3][3], shift[3];  // the map before it was rounded to r and t
  double own_error;               // of a vertex of a and one of b together, without that rounding
  double widening;                // largest row sum of the matrix
  double stretch;  // no distance grows by more than this factor from the world to a's frame

  Relative(const Standing& a, const Standing& b);
  Relative(const Placed& a, const Placed& b) : Relative(a.standing(), b.standing()) {}

  Box8 boxes(const Box8& own) const;
  Box8 boxes(const Node& node) const { return boxes(load_boxes(node)); }
  Box8 boxes(const Box& box) const { return boxes(broadcast(box)); }
  void leaf(const Leaf& from, Leaf& to) const;
  void point(float p[3]) const;
};

// The same for a tree against itself: float coordinates against G of the world's.
float self_error(const Standing& standing);

}  // namespace impinge
