// An octree of triangles after Hermann, Faure and Raffin (2008).
//
// A triangle is kept at the deepest level whose cells are larger than its box, in every cell there
// that the box meets: at most eight. Inner nodes hold triangles too. The tree is made anew whenever
// vertices move, so building must be quick; it keeps no coordinates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/frame.hpp"

namespace impinge::octree {

// A child is numbered by the halves it takes: 4 for the upper one of x, 2 of y, 1 of z.
struct OctreeNode {
  std::array<std::int32_t, 8> child{};  // 0 for none
  std::int32_t begin = 0, end = 0;      // of its faces
};

struct OctreeCell {
  std::int32_t face, level;
  std::int32_t at[3];
};

class Octree {
 public:
  static constexpr int kDeepest = 12;

  // `bounds` are those of the vertices that faces use.
  Octree(const double* vertices, const std::int32_t* faces, std::size_t face_count,
         const Bounds& bounds, int workers);

  bool empty() const { return faces_.empty(); }
  const double* low() const { return low_; }  // corner of the root
  double side() const { return side_; }
  const OctreeNode& root() const { return nodes_[0]; }
  const OctreeNode& node(std::int32_t i) const { return nodes_[static_cast<std::size_t>(i)]; }
  std::int32_t face(std::int32_t i) const { return faces_[static_cast<std::size_t>(i)]; }
  std::size_t face_count() const { return face_count_; }

  // Every cell of every face, by face, level and place.
  std::vector<OctreeCell> cells() const;
  std::size_t bytes() const {
    return nodes_.size() * sizeof(OctreeNode) + faces_.size() * sizeof(std::int32_t);
  }

 private:
  double low_[3], side_;
  std::size_t face_count_;
  std::vector<OctreeNode> nodes_;
  std::vector<std::int32_t> faces_;
};

}  // namespace impinge::octree
