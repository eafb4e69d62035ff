#include "solids/solid.hpp"

#include <algorithm>

#include "solids/germ.hpp"
#include "solids/own_pairs.hpp"
#include "solids/tangle.hpp"

namespace impinge::solids {

Solid::Solid(const bvh::PreparedTree& tree, int workers)
    : tree_(tree), rings_(tree.tree(), workers) {
  if (!is_closed()) return;
  simple_ = own_pairs(bvh::Body(tree_, Pose()), true, workers).empty();
  if (simple_) {
    judge_shells();
  } else {
    judge_tangle(workers);
  }
}

void Solid::judge_shells() {
  std::vector<int> front(rings_.shells());
  for (std::size_t s = 0; s < front.size(); ++s) front[s] = front_winding(rings_.first_of_shell(s));
  // Turned around, the back has the number 0 where the front has -1 now.
  turned_ = std::find(front.begin(), front.end(), 0) == front.end();
  bounding_.resize(front.size());
  for (std::size_t s = 0; s < front.size(); ++s) bounding_[s] = front[s] == (turned_ ? -1 : 0);
  overlapping_ = std::find(bounding_.begin(), bounding_.end(), 0) != bounding_.end();
}

void Solid::judge_tangle(int workers) {
  const PlacedSolid as_given(*this, Pose(), false);
  Tangle tangle({&as_given});
  tangle.add_pairs(own_pairs(as_given.body(), false, workers));
  tangle.run();
  turned_ = tangle.most(0) <= 0;
  overlapping_ = turned_ ? tangle.least(0) < -1 : tangle.least(0) < 0 || tangle.most(0) > 1;
}

int Solid::front_winding(std::int32_t face) const {
  const PlacedSolid as_given(*this, Pose(), false);
  const Triangle t = as_given.triangle(face);
  int axis = 0;
  while (orient2d(t[0], t[1], t[2], axis) == 0) ++axis;
  const int others = winding(as_given, FaceGerm{{t[0], t[1], t[2]}}, axis, face);
  // A face that looks down has the ray from its front to pass.
  return orient2d(t[0], t[1], t[2], axis) > 0 ? others : others - 1;
}

}  // namespace impinge::solids
