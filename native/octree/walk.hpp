// Along a ray through an octree: the parametric traversal of Revelles, Ureña and Lastra (2000).
//
// Since inner nodes hold triangles and a triangle may be in eight cells, a hit need not lie in the
// cell where it is found: the walk ends only when the next cell begins behind the best hit.
#pragma once

#include <algorithm>
#include <array>

#include "geometry/crossing.hpp"
#include "octree/octree.hpp"

namespace impinge::octree {

// Calls hits.test(face) for all faces that may be hit before hits.end(); a face may come again.
template <class Hits>
class OctreeWalk {
 public:
  OctreeWalk(const Octree& octree, const Beam& beam, Hits& hits)
      : octree_(octree), hits_(hits), slack_(kSlack * octree.side()) {
    const double d[3] = {beam.direction.x, beam.direction.y, beam.direction.z};
    Times t0, t1;
    for (std::size_t k = 0; k < 3; ++k) {
      double from = beam.origin[k] - octree.low()[k], along = d[k];
      // the ray is mirrored so that it goes upwards along all axes, and children with it
      if (along < 0) {
        from = octree.side() - from;
        along = -along;
        mask_ |= 4 >> k;
      }
      // a slab that is never left is left very late: no other case is needed then
      along = std::max(along, kParallel);
      t0[k] = -from / along;
      t1[k] = (octree.side() - from) / along;
    }
    if (latest(t0) < earliest(t1)) visit(octree.root(), t0, t1);
  }

 private:
  using Times = std::array<double, 3>;

  static constexpr double kParallel = 1e-20;
  // Of the times, in sides of the root; less than the padding of the cells.
  static constexpr double kSlack = 1e-12;
  static constexpr int kEnd = 8;
  static constexpr std::uint8_t kNext[8][3] = {{4, 2, 1},       {5, 3, kEnd},      {6, kEnd, 3},
                                               {7, kEnd, kEnd}, {kEnd, 6, 5},      {kEnd, 7, kEnd},
                                               {kEnd, kEnd, 7}, {kEnd, kEnd, kEnd}};

  static double latest(const Times& t) { return std::max(std::max(t[0], t[1]), t[2]); }
  static double earliest(const Times& t) { return std::min(std::min(t[0], t[1]), t[2]); }
  static std::size_t last_axis(const Times& t) {
    return t[0] >= t[1] ? (t[0] >= t[2] ? 0 : 2) : (t[1] >= t[2] ? 1 : 2);
  }
  static std::size_t first_axis(const Times& t) {
    return t[0] <= t[1] ? (t[0] <= t[2] ? 0 : 2) : (t[1] <= t[2] ? 1 : 2);
  }

  // From `t0` the latest on the ray is inside, until `t1` the earliest.
  void visit(const OctreeNode& node, const Times& t0, const Times& t1) {
    if (earliest(t1) < -slack_ || latest(t0) > hits_.end() + slack_) return;
    for (std::int32_t i = node.begin; i < node.end; ++i) hits_.test(octree_.face(i));
    const Times middle = {0.5 * (t0[0] + t1[0]), 0.5 * (t0[1] + t1[1]), 0.5 * (t0[2] + t1[2])};
    const std::size_t entry = last_axis(t0);
    int child = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (k != entry && middle[k] < t0[entry]) child |= 4 >> k;
    }
    while (child != kEnd) {
      Times begin, end;
      for (std::size_t k = 0; k < 3; ++k) {
        const bool upper = child & (4 >> k);
        begin[k] = upper ? middle[k] : t0[k];
        end[k] = upper ? t1[k] : middle[k];
      }
      const std::int32_t next = node.child[static_cast<std::size_t>(child ^ mask_)];
      if (next != 0) visit(octree_.node(next), begin, end);
      child = kNext[child][first_axis(end)];
    }
  }

  const Octree& octree_;
  Hits& hits_;
  const double slack_;
  int mask_ = 0;
};

template <class Hits>
void walk(const Octree& octree, const Beam& beam, Hits& hits) {
  if (!octree.empty()) OctreeWalk<Hits>(octree, beam, hits);
}

}  // namespace impinge::octree
