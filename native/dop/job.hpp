// What is asked of the DOP trees, and what is counted on the way.
#pragma once

#include <cstdint>

#include "boxes/frame_map.hpp"
#include "dop/tree.hpp"
#include "geometry/kernels.hpp"
#include "pairs/jobs.hpp"
#include "pairs/rule.hpp"
#include "pairs/tally.hpp"

namespace impinge::dop {

enum class Traversal { list, classic };

struct Options {
  Rule rule;
  Kernel kernel = Kernel::exact;
  Traversal traversal = Traversal::list;
};

// A tree and its pose. World coordinates are float64, rounded as `transform_point` does.
struct Body {
  const Tree* tree = nullptr;
  Pose pose;

  PlacedFrame frame() const { return {tree->frame(), tree->bounds(), pose}; }
  Triangle local(std::uint32_t face) const { return triangle(face, Pose()); }
  Triangle world(std::uint32_t face) const { return triangle(face, pose); }

 private:
  Triangle triangle(std::uint32_t face, const Pose& at) const {
    Triangle t;
    const std::int32_t* corners = tree->face(face);
    for (int c = 0; c < 3; ++c) place_point(at, tree->vertex(corners[c]), t.v[c]);
    return t;
  }
};

// Of a job, a is aligned and b tumbled: it is moved into the frame of a.
using Job = impinge::Job<Body>;

struct Counters : Tally {
  std::uint64_t node_pairs = 0;  // aligned nodes met, each as often as it is met
  std::uint64_t transforms = 0;  // of tumbled nodes
  std::uint64_t lists = 0;       // with which tumbled nodes were compared
  std::uint64_t list_pairs = 0;  // aligned sibling pairs in these
  std::uint64_t leaf_dops = 0;   // made of aligned triangles that meet an inner node
  std::uint64_t leaf_pairs = 0;  // of triangles to be tested
};

}  // namespace impinge::dop
