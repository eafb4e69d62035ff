// One look at parts of the surfaces of two solids, by one thread.
//
// Whole nodes of a tree are bounded by the distance of their centre, triangles by convex bounds.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "depth/bracket.hpp"
#include "depth/distance_to.hpp"
#include "depth/split.hpp"
#include "solids/overlay.hpp"
#include "solids/pieces.hpp"

namespace impinge::depth {

// A part of a surface, and how deep it can be.
struct SurfaceItem {
  double upper;
  std::int8_t surface;
  std::int32_t level;   // of a node, or what else it is
  std::uint32_t index;  // of a node, or a piece that was not looked at
  std::size_t nearest;  // the slot of the other tree that is closest to the centre
  Triangle t;

  static constexpr std::int32_t kTriangle = -1, kPiece = -2;
  bool operator<(const SurfaceItem& other) const { return upper < other.upper; }
};

// What is known of the surfaces before they are searched.
struct SurfaceParts {
  bool is_cut = false;  // whether all parts are inside the other solid
  Bounds within = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  // Which things of each level of a tree have faces inside; none when all do.
  std::vector<std::vector<std::uint8_t>> marks[2];
  const solids::Overlay* overlay = nullptr;
  const solids::Pieces* pieces = nullptr;
};

class SurfaceLook {
 public:
  SurfaceLook(const SurfaceParts& parts, const DistanceTo& a, const DistanceTo& b,
              const Bracket& bracket)
      : parts_(parts), to_{a, b}, bracket_(bracket) {}

  void look_into(const SurfaceItem& item);
  void add_node(int surface, std::int32_t level, std::uint32_t index);
  void add_triangle(int surface, const Triangle& t, double upper);

  // What came of it: things to be looked at, and the bracket it was given with what it found.
  const std::vector<SurfaceItem>& items() const { return items_; }
  const Bracket& bracket() const { return bracket_; }
  std::size_t looks() const { return looks_; }
  std::size_t splits() const { return splits_; }

 private:
  double look(int surface, const double* point, double radius);
  void add_piece(const SurfaceItem& item);
  bool is_clear(int surface, const Triangle& t, const Disc& disc) const;
  double tighter(int surface, const Triangle& t, double upper);
  double most_in_leaf(int surface, std::size_t leaf) const;
  unsigned lanes_of(int surface, std::size_t leaf) const;
  void split(const SurfaceItem& item);
  void open(const SurfaceItem& item);
  const bvh::Tree& tree_of(int surface) const { return to_[surface].searched(parts_.is_cut); }

  const SurfaceParts& parts_;
  DistanceTo to_[2];
  Bracket bracket_;
  std::vector<SurfaceItem> items_;
  std::vector<Triangle> split_;
  std::size_t looks_ = 0, splits_ = 0;
};

}  // namespace impinge::depth
