// How far the surfaces of two solids reach into each other.
//
// Whole nodes of a tree are bounded by the distance of their centre, triangles by convex bounds.
// The greatest bound is looked at first, and split: a triangle over several faces of the other
// surface along the sides of one of them, since over one plane the bound is the truth.
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

class SurfaceSearch {
 public:
  SurfaceSearch(DistanceTo& a, DistanceTo& b, Bracket& bracket) : to_{&a, &b}, bracket_(bracket) {}

  // The parts of surfaces that are inside the other solid.
  void add(const solids::Overlay& overlay);
  // All of them within a box, when it is not known which parts are inside.
  void add_all(const Bounds& within);

  void run();

 private:
  struct Item {
    double upper;
    std::int8_t surface;
    std::int32_t level;   // of a node, or what else it is
    std::uint32_t index;  // of a node, or a piece that was not looked at
    std::size_t nearest;  // the slot of the other tree that is closest to the centre
    Triangle t;
    bool operator<(const Item& other) const { return upper < other.upper; }
  };
  static constexpr std::int32_t kTriangle = -1, kPiece = -2;
  // Which things of each level of a tree have faces inside.
  using Marks = std::vector<std::vector<std::uint8_t>>;

  double look(int surface, const double* point, double radius);
  void add_node(int surface, std::int32_t level, std::uint32_t index);
  void add_piece(const solids::Pieces::Piece& piece, double upper);
  void add_triangle(int surface, const Triangle& t, double upper);
  bool is_clear(int surface, const Triangle& t, const Disc& disc) const;
  double tighter(int surface, const Triangle& t, double upper);
  double most_in_leaf(int surface, std::size_t leaf) const;
  unsigned lanes_of(int surface, std::size_t leaf) const;
  void push(const Item& item);
  Item pop();
  void look_into(const Item& item);
  void split(const Item& item);
  void open(const Item& item);
  void mark(int surface, const std::vector<std::int32_t>& faces);
  const bvh::Tree& tree_of(int surface) const;
  bool is_mesh(int surface) const;

  DistanceTo* to_[2];
  Bracket& bracket_;
  bool is_cut_ = false;  // whether all parts are inside the other solid
  Bounds within_ = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  Marks marks_[2];
  const solids::Overlay* overlay_ = nullptr;
  solids::Pieces pieces_;
  std::vector<Item> heap_;
  std::vector<Triangle> parts_;
  std::size_t looks_ = 0, splits_ = 0;
};

}  // namespace impinge::depth
