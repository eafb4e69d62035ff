// The box tree of one mesh: leaves of eight triangles in float32, lane by lane.
//
// Float coordinates live in the tree's own frame, x = float((v - centre) * scale) with a power of
// two for scale such that |x| < 1. Their error is at most kRounding per coordinate, and because
// every step rounds monotonically, boxes that meet in float64 also meet in float32.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/lanes.hpp"
#include "boxes/hierarchy.hpp"
#include "bvh/tree/leaf.hpp"
#include "geometry/frame.hpp"
#include "geometry/gather.hpp"
#include "mesh/corners.hpp"
#include "mesh/merged_vertices.hpp"

namespace impinge {
struct PointHull;
}

namespace impinge::bvh {

// The vertices of a leaf, each once, so that its box needs fewer of them: mostly nine or ten, and
// then the last one again. Where there are more, the last is kTooMany.
struct alignas(16) LeafVertices {
  static constexpr int kMost = 12;
  static constexpr std::int32_t kTooMany = -1;
  std::int32_t id[kMost];

  bool are_all() const { return id[kMost - 1] != kTooMany; }
};

class Tree {
 public:
  // Keeps both pointers; the arrays must outlive the tree.
  Tree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
       std::size_t face_count, int workers);

  // What following moved vertices has changed beside the boxes.
  struct Refit {
    bool corners = false;  // the ids of corners, or their order
    bool order = false;    // had become so bad that it was made anew
  };
  Refit refit(const double* vertices, int workers);

  bool empty() const { return face_count_ == 0; }
  std::size_t face_count() const { return face_count_; }
  std::size_t vertex_count() const { return vertex_count_; }
  const double* vertex(std::int32_t id) const { return vertices_ + 3 * std::size_t(id); }
  const std::int32_t* face(std::size_t i) const { return faces_ + 3 * i; }

  const Hierarchy& boxes() const { return boxes_; }
  const Frame& frame() const { return frame_; }
  const Bounds& bounds() const { return bounds_; }  // of the vertices that faces use
  // Made when first asked for after the vertices have moved.
  const Leaf& leaf(std::size_t i) const {
    const std::size_t parent = i / kLanes;
    if (leaves_made_[parent].load(std::memory_order_acquire) != Made::yes) [[unlikely]] {
      make_leaves(parent);
    }
    return leaves_[i];
  }
  // At once is quicker than one by one.
  void make_all_leaves(int workers) const;
  void prefetch_leaf(std::size_t i) const { prefetch(&leaves_[i], sizeof(Leaf)); }
  const Corners8& corners(std::size_t i) const { return corners_[i]; }
  std::span<const Corners8> corners() const { return corners_; }
  // Float copies of all vertices, made when first asked for after they have moved.
  const Point4* points() const {
    if (!points_made_.load(std::memory_order_acquire)) [[unlikely]]
      make_points(1);
    return points_.data();
  }
  void make_points(int workers) const;
  std::int32_t face_of(std::size_t slot) const { return face_of_slot_[slot]; }
  void prefetch_faces(std::size_t leaf) const {
    prefetch(face_of_slot_.data() + leaf * kLanes, kLanes * sizeof(std::int32_t));
  }
  std::size_t leaf_count() const { return leaves_.size(); }
  // Bit per lane that holds a triangle.
  unsigned lanes(std::size_t leaf) const { return leaf + 1 < leaves_.size() ? 255u : last_lanes_; }

  std::size_t bytes() const;

 private:
  void allocate();
  void measure(int workers);
  PointsInFrame placed() const { return {vertices_, frame_}; }
  template <class AnyCentres>
  void set_centres(const AnyCentres& centres, int workers) const;
  void order(int workers);
  void order_along_surface(int workers);
  void fill_corners(int workers);
  void list_vertices(int workers);
  struct Areas {
    Float8 triangles, leaves;
  };
  double fill_boxes(int workers);
  PointHull fill_below(int level, std::size_t i, Areas& areas);
  PointHull fill_lowest(std::size_t i, Areas& areas);
  void make_leaves(std::size_t parent) const;

  const double* vertices_;
  std::size_t vertex_count_;
  const std::int32_t* faces_;
  std::size_t face_count_;

  Bounds bounds_{};
  Frame frame_{};
  Arena memory_;
  std::span<Point4> points_;
  std::span<std::int32_t> face_of_slot_;
  std::span<Leaf> leaves_;
  std::span<Corners8> corners_;
  std::vector<LeafVertices> leaf_vertices_;  // since the first refit
  enum class Made : std::uint8_t { no, half, yes };
  mutable std::vector<std::atomic<Made>> leaves_made_;  // of each node of level 1
  mutable std::mutex points_mutex_;
  mutable std::atomic<bool> points_made_{false};
  unsigned last_lanes_ = 0;
  Hierarchy boxes_;
  double looseness_ = 0;  // when the order was made
  bool along_surface_ = false;
  MergedVertices merged_;
};

}  // namespace impinge::bvh
