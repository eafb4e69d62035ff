// A packed tree of boxes, eight children to a node: node i of a level holds the boxes of the items
// 8i .. 8i+7 of the level below, and level 0 is the items themselves (leaves of triangles, or whole
// bodies in the broad phase). No pointers: the order of the items is the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lanes.hpp"

namespace impinge {

// A missing child: far inside out, but finite, so that maps of it stay numbers.
constexpr float kInsideOut = 1e18f;

struct alignas(32) Node {
  float lo[3][kLanes], hi[3][kLanes];
};

struct Box {
  float lo[3], hi[3];
};

inline float longest_side(const Box& b) {
  const float x = b.hi[0] - b.lo[0], y = b.hi[1] - b.lo[1], z = b.hi[2] - b.lo[2];
  return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

// Eight boxes in registers.
struct Box8 {
  Float8 lo[3], hi[3];
};

class Hierarchy {
 public:
  // Room for `items` boxes, which must be set, in memory of nodes_for(items) nodes.
  static std::size_t nodes_for(std::size_t items);
  void place(std::size_t items, Node* memory);

  std::size_t items() const { return items_; }
  int top() const { return static_cast<int>(levels_.size()); }

  // Nodes whose children are the things of level - 1; level in 1 .. top().
  const Node& node(int level, std::size_t i) const { return levels_[level - 1][i]; }
  Node& node(int level, std::size_t i) { return levels_[level - 1][i]; }
  std::size_t nodes(int level) const { return levels_[level - 1].size(); }

  // Bit per child that exists.
  unsigned children(int level, std::size_t i) const {
    const std::size_t below = (level == 1 ? items_ : nodes(level - 1)) - i * kLanes;
    return below >= kLanes ? 255u : (1u << below) - 1;
  }

  // The box of thing i of a level: stored in its parent, or in `root` for the topmost node.
  Box box(int level, std::size_t i) const;
  void set_item(std::size_t i, const Box& box);
  // The boxes from a level up, from those below.
  void refit_upwards(int level, int workers);
  const Box& root() const { return root_; }

 private:
  std::size_t items_ = 0;
  std::vector<std::span<Node>> levels_;
  Box root_{};
};

// No loops here: compilers make copies in memory of them, by halves of registers.
inline void store(const Box8& b, Node& node) {
  b.lo[0].store(node.lo[0]);
  b.lo[1].store(node.lo[1]);
  b.lo[2].store(node.lo[2]);
  b.hi[0].store(node.hi[0]);
  b.hi[1].store(node.hi[1]);
  b.hi[2].store(node.hi[2]);
}

inline Box8 load_boxes(const Node& node) {
  return {{Float8::load(node.lo[0]), Float8::load(node.lo[1]), Float8::load(node.lo[2])},
          {Float8::load(node.hi[0]), Float8::load(node.hi[1]), Float8::load(node.hi[2])}};
}

inline Box8 broadcast(const Box& box) {
  Box8 b;
  for (int k = 0; k < 3; ++k) {
    b.lo[k] = Float8(box.lo[k]);
    b.hi[k] = Float8(box.hi[k]);
  }
  return b;
}

inline Box8 spread(const Box8& boxes, int lane) {
  Box8 b;
  for (int k = 0; k < 3; ++k) {
    b.lo[k] = spread(boxes.lo[k], lane);
    b.hi[k] = spread(boxes.hi[k], lane);
  }
  return b;
}

inline Box lane(const Node& node, int i) {
  Box b;
  for (int k = 0; k < 3; ++k) {
    b.lo[k] = node.lo[k][i];
    b.hi[k] = node.hi[k][i];
  }
  return b;
}

inline Node spill(const Box8& b) {
  Node n;
  for (int k = 0; k < 3; ++k) {
    b.lo[k].store(n.lo[k]);
    b.hi[k].store(n.hi[k]);
  }
  return n;
}

inline Box hull(const Box8& b) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = lowest(b.lo[k]);
    box.hi[k] = highest(b.hi[k]);
  }
  return box;
}

inline Box8 inflate(const Box8& b, float by) {
  Box8 r;
  for (int k = 0; k < 3; ++k) {
    r.lo[k] = b.lo[k] - Float8(by);
    r.hi[k] = b.hi[k] + Float8(by);
  }
  return r;
}

inline unsigned overlapping(const Box8& a, const Box8& b) {
  const Mask8 lower = (a.lo[0] <= b.hi[0]) & (a.lo[1] <= b.hi[1]) & (a.lo[2] <= b.hi[2]);
  const Mask8 upper = (b.lo[0] <= a.hi[0]) & (b.lo[1] <= a.hi[1]) & (b.lo[2] <= a.hi[2]);
  return bits(lower & upper);
}

}  // namespace impinge
