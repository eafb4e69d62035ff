// The DOP tree of one mesh: binary, one triangle per leaf, siblings side by side in memory.
//
// Coordinates are float32 in the tree's own frame, as in the box tree. Queries only read: any
// number of them may run on one tree at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "boxes/median_order.hpp"
#include "dop/directions.hpp"
#include "geometry/frame.hpp"
#include "geometry/gather.hpp"
#include "geometry/unit_triangle.hpp"
#include "geometry/vec.hpp"
#include "mesh/merged_vertices.hpp"

namespace impinge::dop {

// An inner node holds its DOP. A leaf holds no DOP but the box of its triangle, how far it reaches
// along the axes and against them, and then the three corners. With 24 directions a node is 128
// bytes.
inline constexpr int kBoxSides = 6;

template <int kBlocks>
struct alignas(32) Node {
  float data[kLanes * kBlocks + 7];
  std::uint32_t link;

  bool is_leaf() const { return link >> 31; }
  std::uint32_t face() const { return link & 0x7fffffffu; }
  std::uint32_t pair() const { return link; }
  const float* corners() const { return data + kBoxSides; }
};

inline constexpr std::uint32_t kLeafBit = 1u << 31;

// Nodes 2p and 2p + 1 are pair p, the children of one node; those below them come in later pairs.
// Node 1, the root, has no sibling.
inline constexpr std::uint32_t kRoot = 1;

template <int kBlocks>
struct Lanes;

class Tree {
 public:
  // Keeps both pointers; the arrays must outlive the tree. `maps`: with the unit-triangle maps.
  Tree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
       std::size_t face_count, const Directions& directions, bool maps, int workers);

  // Follows moved vertices. Returns true when the DOPs had become so loose that it was built anew.
  bool refit(const double* vertices, int workers);

  bool empty() const { return face_count_ == 0; }
  std::size_t face_count() const { return face_count_; }
  std::size_t node_count() const { return 2 * face_count_; }  // with the unused first
  const Directions& directions() const { return directions_; }
  const Frame& frame() const { return frame_; }
  const Bounds& bounds() const { return bounds_; }

  template <int kBlocks>
  const Node<kBlocks>& node(std::uint32_t i) const {
    return reinterpret_cast<const Node<kBlocks>*>(nodes_)[i];
  }
  const double* vertex(std::int32_t id) const { return vertices_ + 3 * std::size_t(id); }
  const std::int32_t* face(std::size_t i) const { return faces_ + 3 * i; }
  // Corners with one id for equal coordinates, and where they are in the frame.
  const std::int32_t* corners(std::size_t face) const {
    return (welded_.empty() ? faces_ : welded_.data()) + 3 * face;
  }
  const Point4* points() const { return points_.data(); }
  const UnitTriangle& map(std::size_t face) const { return maps_[face]; }
  std::size_t degenerate() const { return degenerate_; }  // faces without area
  std::size_t bytes() const;

 private:
  // A node whose place is known, with the faces begin .. begin + count - 1 of the order below it
  // and the pairs from `pair` on.
  struct Range {
    std::uint32_t node, pair;
    std::size_t begin, count;
  };
  // A range of n faces has n - 1 pairs below it, so that the place of everything is known from the
  // start.
  static std::pair<Range, Range> halves(const Range& range) {
    const std::size_t left = left_of_middle(range.count), right = range.count - left;
    return {{2 * range.pair, range.pair + 1, range.begin, left},
            {2 * range.pair + 1, range.pair + static_cast<std::uint32_t>(left), range.begin + left,
             right}};
  }

  template <int kBlocks>
  Node<kBlocks>& at(std::uint32_t i) {
    return reinterpret_cast<Node<kBlocks>*>(nodes_)[i];
  }
  void weld(int workers);
  void measure(int workers);
  void build(int workers);
  std::vector<std::int32_t> order(int workers) const;
  double fill(const std::int32_t* order, int workers);
  template <int kBlocks>
  double fill_all(const std::int32_t* order, int workers);
  template <int kBlocks>
  double fill_range(const Range& range, const std::int32_t* order, Lanes<kBlocks>& dop);
  template <int kBlocks>
  void fill_leaf(const Range& range, const std::int32_t* order);
  template <int kBlocks>
  float fill_node(std::uint32_t i, const Lanes<kBlocks>& dop);
  void make_maps(int workers);

  const double* vertices_;
  std::size_t vertex_count_;
  const std::int32_t* faces_;
  std::size_t face_count_;
  const Directions& directions_;
  const bool with_maps_;

  std::vector<std::uint8_t> used_;  // by faces, or by what they are welded to
  MergedVertices merged_;
  std::vector<std::int32_t> welded_;  // corners of all faces; empty when all vertices differ
  std::vector<Point4> points_;
  Bounds bounds_{};
  Frame frame_{};
  Arena memory_;
  float* nodes_ = nullptr;
  std::vector<UnitTriangle> maps_;
  std::size_t degenerate_ = 0;
  double looseness_ = 0;  // when it was built
};

// Calls f with the number of blocks of a set of directions as a constant.
template <class F>
decltype(auto) with_blocks(int blocks, F&& f) {
  switch (blocks) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    default:
      return f(std::integral_constant<int, 4>{});
  }
}

}  // namespace impinge::dop
