#include "solids/solid.hpp"

#include <algorithm>

namespace impinge::solids {
namespace {

bool is_mirrored(const Pose& pose) { return handedness(pose) < 0; }

// Whether rounding by a pose moves vertices by less than the slack.
bool moves_little(const bvh::PreparedTree& tree, const Pose& pose) {
  const bvh::Body moved(tree, pose), resting(tree, Pose());
  return self_error(moved.frame()) <= self_error(resting.frame()) + 0.99f * kSlack;
}

std::shared_ptr<const Judgement> judgement_in(const Solid& solid, const Pose& pose) {
  const Judgement& resting = solid.judgement();
  if (pose.identity || (resting.is_sturdy && moves_little(solid.tree(), pose))) {
    return {std::shared_ptr<const Judgement>(), &resting};
  }
  const PlacedSurface moved(solid.tree(), solid.rings(), pose, is_mirrored(pose));
  return std::make_shared<const Judgement>(judge(moved, 1));
}

}  // namespace

Solid::Solid(const bvh::PreparedTree& tree, int workers)
    : tree_(tree), rings_(tree.tree(), workers) {
  if (is_closed()) judgement_ = judge(PlacedSurface(tree_, rings_, Pose(), false), workers);
}

bool Solid::all_bounds() const {
  const auto& bounds = judgement_.shell_bounds;
  return judgement_.is_simple &&
         std::all_of(bounds.begin(), bounds.end(), [](auto b) { return b != 0; });
}

const bvh::Tree& Solid::boundary() const { return made(boundary_, Boundary::Cut::in_parts); }
const bvh::Tree& Solid::rough_boundary() const {
  return made(rough_boundary_, Boundary::Cut::whole);
}

const bvh::Tree& Solid::made(const Lazy<Boundary>& boundary, Boundary::Cut cut) const {
  if (all_bounds()) return tree_.tree();
  const auto make = [&] {
    return std::make_unique<Boundary>(tree_.tree(), judgement_.own_pairs, sense(), 1, cut);
  };
  return boundary.get_or(make).tree();
}

std::size_t Solid::bytes() const {
  return rings_.bytes() + judgement_.shell_bounds.size() +
         judgement_.own_pairs.size() * sizeof(Key);
}

PlacedSolid::PlacedSolid(const Solid& solid, const Pose& pose)
    : PlacedSolid(solid, pose, judgement_in(solid, pose)) {}

PlacedSolid::PlacedSolid(const Solid& solid, const Pose& pose,
                         std::shared_ptr<const Judgement> judgement)
    : PlacedSurface(solid.tree(), solid.rings(), pose, judgement->is_turned != is_mirrored(pose)),
      judgement_(std::move(judgement)) {}

}  // namespace impinge::solids
