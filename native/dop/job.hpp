// What is asked of the DOP trees, and what is counted on the way.
#pragma once

#include <cstdint>

#include "dop/tree.hpp"
#include "geometry/kernels.hpp"

namespace impinge::dop {

enum class Traversal { list, classic };

struct Options {
  Kernel kernel = Kernel::exact;
  Traversal traversal = Traversal::list;
  bool touching = true;            // report pairs that only touch
  bool report_duplicates = false;  // and faces of one body with the same three vertices
  bool first = false;              // stop at the first pair of two bodies
};

// A tree and its pose. World coordinates are float64, rounded as `transform_point` does.
struct Body {
  const Tree* tree = nullptr;
  Pose pose;

  Standing standing() const { return {tree->frame(), tree->bounds(), pose}; }
  Triangle local(std::uint32_t face) const;
  Triangle world(std::uint32_t face) const;
};

// Two bodies, or one against itself. The tumbled one is moved into the frame of the aligned one.
struct Job {
  Body aligned, tumbled;
  std::uint32_t offset_aligned = 0, offset_tumbled = 0;  // of the ids of their faces
  bool self = false;
};

struct Counters {
  std::uint64_t node_pairs = 0;  // aligned nodes met, each as often as it is met
  std::uint64_t transforms = 0;  // of tumbled nodes
  std::uint64_t lists = 0;       // with which tumbled nodes were compared
  std::uint64_t list_pairs = 0;  // aligned sibling pairs in these
  std::uint64_t leaf_dops = 0;   // made of aligned triangles that meet an inner node
  std::uint64_t leaf_pairs = 0;  // of triangles to be tested
  std::uint64_t candidates = 0;  // of these, with overlapping boxes
  std::uint64_t undecided = 0;   // left to the exact test by the float filter

  void add(const Counters& other);
};

}  // namespace impinge::dop
