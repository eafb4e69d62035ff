#include <algorithm>

#include "octree/octree.hpp"

namespace impinge::octree {

std::vector<OctreeCell> Octree::cells() const {
  struct Step {
    std::int32_t node, level;
    std::int32_t at[3];
  };
  std::vector<OctreeCell> found;
  std::vector<Step> stack{{0, 0, {0, 0, 0}}};
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    const OctreeNode& here = node(step.node);
    for (std::int32_t i = here.begin; i < here.end; ++i) {
      found.push_back({face(i), step.level, {step.at[0], step.at[1], step.at[2]}});
    }
    for (int c = 0; c < 8; ++c) {
      const std::int32_t child = here.child[static_cast<std::size_t>(c)];
      if (child == 0) continue;
      stack.push_back(
          {child,
           step.level + 1,
           {2 * step.at[0] + (c >> 2), 2 * step.at[1] + (c >> 1 & 1), 2 * step.at[2] + (c & 1)}});
    }
  }
  std::sort(found.begin(), found.end(), [](const OctreeCell& a, const OctreeCell& b) {
    if (a.face != b.face) return a.face < b.face;
    return std::lexicographical_compare(a.at, a.at + 3, b.at, b.at + 3);
  });
  return found;
}

}  // namespace impinge::octree
