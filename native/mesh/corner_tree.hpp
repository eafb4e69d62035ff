// Points of the plane in a tree of oriented boxes: is one of them in a triangle?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace impinge {

struct PlanePoint {
  double x, y;
};

inline bool operator==(const PlanePoint& a, const PlanePoint& b) {
  return a.x == b.x && a.y == b.y;
}

// Boxes follow their points: of a wall that runs aslant they are as thin as the wall, so that a
// long thin triangle beside it meets few of them. Points can be taken out, one by one.
class CornerTree {
 public:
  // The points with these numbers. Finite coordinates of at most 1e100; both arrays are kept.
  void build(std::span<const PlanePoint> points, std::span<const std::int32_t> members);
  void remove(std::int32_t member);

  // Whether `wanted` is true for one of the members near the triangle, which turns left. All that
  // lie in it, its border included, are near, but for those at its first or last corner when there
  // are very many: an outline may come by there any number of times.
  template <class Wanted>
  bool any_near(const PlanePoint (&triangle)[3], Wanted&& wanted);

 private:
  static constexpr std::int32_t kLeaf = 8;

  // Its origin is one of its points, so that differences from it are as small as the box.
  static constexpr std::int32_t kMostInPlace = 64;

  struct Node {
    PlanePoint origin, along;
    double low[2], high[2];       // along and across
    std::int32_t parent, second;  // the first child follows its parent; none is 0
    std::int32_t begin, alive;    // members of a leaf, or how many are left below
    bool one_place;               // all of its points are equal
    bool misses(const PlanePoint (&triangle)[3]) const;
  };

  void rebuild();
  std::int32_t add_node(std::int32_t parent, std::int32_t begin, std::int32_t end);
  void fit(Node& node, std::int32_t begin, std::int32_t end) const;

  std::span<const PlanePoint> points_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> members_, leaf_, place_, stack_;
};

template <class Wanted>
bool CornerTree::any_near(const PlanePoint (&triangle)[3], Wanted&& wanted) {
  if (nodes_.empty()) return false;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const std::int32_t index = stack_.back();
    stack_.pop_back();
    const Node& node = nodes_[index];
    if (node.alive == 0 || node.misses(triangle)) continue;
    const bool is_knot = node.one_place && node.alive > kMostInPlace;
    if (is_knot && (node.origin == triangle[0] || node.origin == triangle[2])) continue;
    if (node.second != 0) {
      stack_.push_back(node.second);
      stack_.push_back(index + 1);
      continue;
    }
    for (std::int32_t i = 0; i < node.alive; ++i) {
      if (wanted(members_[node.begin + i])) return true;
    }
  }
  return false;
}

}  // namespace impinge
