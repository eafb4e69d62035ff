#include "bvh/ray_leaves.hpp"

#include <algorithm>
#include <limits>

namespace impinge {

template <RayMode kMode>
void RayLeaves<kMode>::visit(std::uint32_t parent,
                             const std::uint64_t (&entered)[RayPacket<kMode>::kWords]) {
  const Node& node = parents_[parent];
  Float8 size(0.0f);
  for (int k = 0; k < 3; ++k) {
    size = max(size, Float8::load(node.hi[k]) - Float8::load(node.lo[k]));
  }
  const SideBounds sides(size, packet_.error);
  alignas(32) float reach[kLanes], bound[kLanes];
  sides.reach.store(reach);
  sides.bound.store(bound);
  const Leaf* leaves = &packet_.tree.leaf(parent * kLanes);
  Visit* next = visit_ + visits_;
  for (int w = 0; w < RayPacket<kMode>::kWords; ++w) {
    for_each_bit(entered[w], [&](int bit) {
      const unsigned child = static_cast<unsigned>(bit) % kLanes;
      prefetch(leaves + child, sizeof(Leaf));
      *next++ = {parent * kLanes + child, w * kLanes + bit / kLanes, reach[child], bound[child]};
    });
  }
  visits_ = static_cast<int>(next - visit_);
  if (visits_ >= kVisits) test_visits();
}

// Triangles that the rays may pass within their limits, as far as floats can tell.
template <RayMode kMode>
void RayLeaves<kMode>::test_visits() {
  int n = 0;
  for (int j = 0; j < visits_; ++j) {
    const Visit visit = visit_[j];
    passed_[n] = {
        LeafPass(packet_.tree.leaf(visit.leaf), packet_.frame[visit.ray], visit.reach, visit.bound),
        visit.leaf, visit.ray};
    n += passed_[n].pass.lanes != 0;
  }
  visits_ = 0;
  for (int j = 0; j < n; ++j) take(passed_[j]);
}

template <RayMode kMode>
void RayLeaves<kMode>::take(const Passed& passed) {
  const FrameRay& r = packet_.frame[passed.ray];
  const LeafPass& pass = passed.pass;
  const unsigned lanes = pass.lanes & packet_.tree.lanes(passed.leaf);
  const unsigned front = pass.front, back = pass.back;
  if (kMode == RayMode::closest) {
    const unsigned sure = lanes & (front | back) & bits(pass.first > Float8(r.sure_begin));
    if (sure) {
      alignas(32) float behind[kLanes];
      pass.last.store(behind);
      float end = r.end;
      for_each_bit(sure, [&](int k) { end = std::min(end, behind[k] + r.depth_error); });
      packet_.set_end(passed.ray, end);
    }
  }
  prefetch(&packet_.tree.corners(passed.leaf), sizeof(LeafCorners));
  alignas(32) float before[kLanes];
  pass.first.store(before);
  for_each_bit(lanes, [&](int k) {
    const int turn = static_cast<int>(front >> k & 1) - static_cast<int>(back >> k & 1);
    const int facing = r.sign < 0 ? -turn : turn;
    candidate_[candidates_++] = {passed.leaf, passed.ray, k, facing, before[k]};
  });
  if (kMode != RayMode::closest || candidates_ >= kCandidates) test_candidates();
}

template <RayMode kMode>
void RayLeaves<kMode>::test_candidates() {
  for (int j = 0; j < candidates_; ++j) {
    const LeafCorners& corners = packet_.tree.corners(candidate_[j].leaf);
    for (int k = 0; k < 3; ++k) {
      prefetch(packet_.tree.vertex(corners.id[k][candidate_[j].lane]), 3 * sizeof(double));
    }
  }
  for (int j = 0; j < candidates_; ++j) {
    const Candidate& c = candidate_[j];
    const int i = c.ray;
    if (c.begin > packet_.frame[i].end || (kMode == RayMode::any && packet_.best[i].face >= 0))
      continue;
    if (!packet_.test(i, c.leaf, c.lane, c.facing)) continue;
    packet_.set_end(i, kMode == RayMode::closest
                           ? packet_.frame[i].behind(packet_.best[i].t / packet_.ray[i].unit)
                           : -std::numeric_limits<float>::infinity());
  }
  candidates_ = 0;
}

template class RayLeaves<RayMode::closest>;
template class RayLeaves<RayMode::any>;
template class RayLeaves<RayMode::all>;

}  // namespace impinge
