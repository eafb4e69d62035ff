// Which triangles belong to which clusters.
//
// A point p common to two triangles is nearest to some centre c_l, and each triangle lies within
// r_i of a point x_i of its own. p is not beyond the plane between c_l and any other c_k, so x_i is
// beyond it by at most r_i: `bisector` puts both triangles into cluster l. `generous` does too:
// |x_i - c_l| <= |p - c_l| + r_i <= |p - c_k| + r_i <= |x_i - c_k| + 2 r_i for every k.
// Centres may be any points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "cdfc/fcm.hpp"

namespace impinge::cdfc {

enum class MemberRule {
  bisector,  // not beyond the plane between l and any other centre by more than r
  generous,  // not farther from l than from the nearest centre by more than 2 r
  absolute,  // membership of at least a threshold, or the highest one; misses pairs
};

struct MemberRules {
  MemberRule rule = MemberRule::bisector;
  double threshold = 0, fuzziness = 2;  // of `absolute`
};

// Points and radii of triangles, coordinate by coordinate.
struct Balls {
  const float* at[3];
  const float* radius;
  std::size_t size;
};

struct Members {
  std::size_t clusters = 0;
  // Clusters of triangle i, ascending: of_triangle[first[i]] .. of_triangle[first[i + 1]].
  Buffer<std::uint32_t> first, of_triangle;
  // Triangles of cluster l, ascending: of_cluster[start[l]] .. of_cluster[start[l + 1]].
  std::vector<std::size_t> start;
  Buffer<std::uint32_t> of_cluster;

  std::size_t copies() const { return of_triangle.size(); }
  std::span<const std::uint32_t> triangles(std::size_t cluster) const {
    return {of_cluster.data() + start[cluster], start[cluster + 1] - start[cluster]};
  }
  bool in_several(std::uint32_t triangle) const {
    return first[triangle + 1] - first[triangle] > 1;
  }
  // The lowest cluster that two triangles have in common; one must exist.
  std::uint32_t lowest_common(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t *p = of_triangle.data() + first[a], *q = of_triangle.data() + first[b];
    while (*p != *q) *p < *q ? ++p : ++q;
    return *p;
  }
};

// Centres (c, 3), all coordinates within one.
Members members(const Balls& balls, const Rows& centres, const MemberRules& rules, int workers);

}  // namespace impinge::cdfc
