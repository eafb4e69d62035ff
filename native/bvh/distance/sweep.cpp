#include "bvh/distance/sweep.hpp"

#include <algorithm>
#include <limits>

#include "bvh/distance/far_leaves.hpp"

namespace impinge::bvh {
namespace {

// Leaves of one body that are still dealt with, and those a quick look takes.
constexpr std::size_t kMany = 1024, kFew = 64;

}  // namespace

bool Sweep::gather(const Tree& a, const Tree& b, const Direction& n) {
  start_ = n.start;
  const float back[3] = {-n.b[0], -n.b[1], -n.b[2]};
  const FarLeaves along_a(a, n.a), along_b(b, back);
  const auto collect = [](const FarLeaves& along, float limit, std::vector<Reach>& to) {
    to.clear();
    return along.visit(limit, [&](std::uint32_t leaf, float most) {
      to.push_back({most, leaf});
      return to.size() < kMany;
    });
  };
  if (!collect(along_a, n.start - along_b.farthest(), far_a_)) return false;
  float farthest_a = -std::numeric_limits<float>::infinity();
  for (const Reach& one : far_a_) farthest_a = std::max(farthest_a, one.most);
  return collect(along_b, n.start - farthest_a, far_b_);
}

bool Sweep::worth_a_look() const { return far_a_.size() * far_b_.size() > kFew * kFew; }

std::vector<Near>& Sweep::look(const Tree& a, const Tree& b, const FrameMap& relative,
                               const GapLimits& cuts) {
  farthest_few(far_a_, few_a_);
  farthest_few(far_b_, few_b_);
  return pair_up(a, b, relative, cuts, few_a_, few_b_);
}

std::vector<Near>& Sweep::pairs(const Tree& a, const Tree& b, const FrameMap& relative,
                                const GapLimits& cuts) {
  return pair_up(a, b, relative, cuts, far_a_, far_b_);
}

void Sweep::farthest_few(const std::vector<Reach>& all, std::vector<Reach>& few) {
  few = all;
  if (few.size() <= kFew) return;
  std::nth_element(few.begin(), few.begin() + kFew, few.end());
  few.resize(kFew);
}

std::vector<Near>& Sweep::pair_up(const Tree& a, const Tree& b, const FrameMap& relative,
                                  const GapLimits& cuts, const std::vector<Reach>& far_a,
                                  const std::vector<Reach>& far_b) {
  discs_.resize((far_b.size() + kLanes - 1) / kLanes);
  for (std::size_t i = 0; i < far_b.size(); ++i) {
    Leaf moved;
    move_leaf(relative, b.leaf(far_b[i].leaf), moved);
    discs_[i / kLanes].set(static_cast<int>(i % kLanes), disc_around(moved), start_ - far_b[i].most,
                           cuts.margin);
  }
  for (std::size_t i = far_b.size(); i % kLanes; ++i)
    discs_[i / kLanes].clear(static_cast<int>(i % kLanes));
  pairs_.clear();
  for (const Reach& one : far_a) {
    const Disc disc = disc_around(a.leaf(one.leaf));
    for (std::size_t i = 0; i < discs_.size(); ++i) {
      unsigned near = bits(Float8::load(discs_[i].along) <= Float8(one.most));
      if (!near) continue;
      near &= bits(balls_near(disc, discs_[i], cuts.linear));
      if (!near) continue;
      const Float8 gaps = disc_gaps(disc, discs_[i]);
      near &= bits(gaps <= Float8(cuts.linear));
      if (!near) continue;
      const Float8 squares = squared_gaps(broadcast(disc.box), load_boxes(discs_[i].boxes));
      near &= bits(squares <= Float8(cuts.squared));
      if (!near) continue;
      alignas(32) float each[kLanes];
      gaps.store(each);
      for_each_bit(near, [&](int c) {
        pairs_.push_back(
            {each[c], {one.leaf, far_b[i * kLanes + static_cast<std::size_t>(c)].leaf}});
      });
    }
  }
  return pairs_;
}

}  // namespace impinge::bvh
