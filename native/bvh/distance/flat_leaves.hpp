// Leaves that lie across an axis of the world: what makes many pairs of triangles equally close.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bvh/tree/placed_tree.hpp"

namespace impinge::bvh {

struct FlatLeaf {
  double at[3];                  // coordinate of all its triangles; NaN when they have several
  std::int32_t first_face = -1;  // the smallest; -1 is not known yet
};

class FlatLeaves {
 public:
  void forget(const PlacedTree& placed) { known_.assign(placed.tree->leaf_count(), {}); }

  const FlatLeaf& of(const PlacedTree& placed, std::uint32_t leaf) {
    FlatLeaf& flat = known_[leaf];
    if (flat.first_face >= 0) return flat;
    flat.first_face = std::numeric_limits<std::int32_t>::max();
    for_each_bit(placed.tree->lanes(leaf), [&](int c) {
      const std::size_t slot = std::size_t{leaf} * kLanes + static_cast<std::size_t>(c);
      const Triangle t = placed.triangle(slot);
      for (int k = 0; k < 3; ++k) {
        if (c == 0) flat.at[k] = t[0][k];
        const bool same = t[0][k] == flat.at[k] && t[1][k] == flat.at[k] && t[2][k] == flat.at[k];
        if (!same) flat.at[k] = std::numeric_limits<double>::quiet_NaN();
      }
      flat.first_face = std::min(flat.first_face, placed.tree->face_of(slot));
    });
    return flat;
  }

 private:
  std::vector<FlatLeaf> known_;
};

}  // namespace impinge::bvh
