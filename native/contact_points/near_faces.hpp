// Faces of two surfaces whose boxes are closer than a threshold, or of one with itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "boxes/front.hpp"
#include "bvh/pair/tree_to_tree.hpp"
#include "contact_points/skin.hpp"

namespace impinge::contact_points {

struct FacePair {
  std::int32_t a, b;
};

// The box trees of both must have been prepared.
class NearFaces {
 public:
  // With `self` they are the same, and only its pairs of different faces count.
  NearFaces(const Skin& a, const Skin& b, bool self, double threshold);

  // Pairs of leaves with boxes that are near.
  Buffer<Item> leaves() const;
  // Of such a pair the faces.
  void faces(const Item& item, std::vector<FacePair>& out) const;

 private:
  const bvh::Tree &a_, &b_;
  const bool self_;
  float margin_;                        // in the frame of a, for boxes that are mapped to it
  std::optional<bvh::TreeToTree> map_;  // of two trees
};

}  // namespace impinge::contact_points
