// A surface with moving vertices as the broad phase sees it: the leaves of its box tree, each with
// the boxes that its faces, and the vertices and edges it answers for, sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/block.hpp"
#include "boxes/hierarchy.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/frame.hpp"

namespace impinge::motion {

// One body: its tree, in whatever order and place it was made, and where its vertices are and go.
struct MovingBody {
  const bvh::Tree* tree;
  const double* start;
  const double* end;
  bool moves;  // else both are the same

  const double* vertex(std::int32_t i) const { return start + 3 * std::size_t(i); }
  const double* goal(std::int32_t i) const { return end + 3 * std::size_t(i); }
};

// The box of all places of all vertices that faces use.
Bounds swept_bounds(const MovingBody& body, int workers);

// Features of one kind, by leaves, eight to a node; lanes without one are inside out.
template <int kCorners>
struct SweptFeatures {
  struct alignas(32) Ids {
    std::int32_t of[kCorners][kLanes];
  };
  std::vector<std::uint32_t> first;  // node of each leaf, and the end
  Block<Node> boxes;
  Block<Ids> ids;
};

class SweptSurface {
 public:
  // Vertices that are equal at the start and at the end are one: the first of them.
  SweptSurface(const MovingBody& body, const Frame& frame, int workers);

  const Hierarchy& boxes() const { return boxes_; }
  // All vertices at time 0 or 1 in the frame.
  const Point4* points(int end) const { return end && end_ ? end_.get() : start_.get(); }
  const SweptFeatures<1>& vertices() const { return vertices_; }
  const SweptFeatures<2>& edges() const { return edges_; }
  const SweptFeatures<3>& faces() const { return faces_; }

 private:
  void list_features(const MovingBody& body, int workers);
  void fill_boxes(int workers);

  std::size_t leaves_;
  Block<Point4> start_, end_;  // no ends where nothing moves
  Block<Node> memory_;
  Hierarchy boxes_;
  SweptFeatures<1> vertices_;
  SweptFeatures<2> edges_;
  SweptFeatures<3> faces_;
};

}  // namespace impinge::motion
