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
    const Leaf& leaf = packet_.tree.leaf(visit.leaf);
    const FrameRay& r = packet_.frame[visit.ray];
    const float* rows[3] = {leaf.v[r.axis[0]], leaf.v[r.axis[1]], leaf.v[r.axis[2]]};
    const Float8 ox(r.origin[0]), oy(r.origin[1]), oz(r.origin[2]);
    const Float8 sx(r.shear[0]), sy(r.shear[1]);
    Float8 x[3], y[3], z[3];
    for (int c = 0; c < 3; ++c) {
      z[c] = Float8::load(rows[2] + 3 * kLanes * c) - oz;
      x[c] = mul_add(sx, z[c], Float8::load(rows[0] + 3 * kLanes * c) - ox);
      y[c] = mul_add(sy, z[c], Float8::load(rows[1] + 3 * kLanes * c) - oy);
    }
    const Float8 u = mul_sub(x[1], y[2], y[1] * x[2]);
    const Float8 v = mul_sub(x[2], y[0], y[2] * x[0]);
    const Float8 w = mul_sub(x[0], y[1], y[0] * x[1]);
    Float8 squares = x[0] * x[0];
    squares = mul_add(y[0], y[0], squares);
    for (int c = 1; c < 3; ++c) squares = mul_add(y[c], y[c], mul_add(x[c], x[c], squares));
    const Float8 bound(visit.bound), minus_bound(-visit.bound);
    const Float8 lowest = min(min(u, v), w), highest = max(max(u, v), w);
    const Mask8 inside = (minus_bound <= lowest) | (highest <= bound);
    // The plane is passed at z0 + (v up + w over) / (u + v + w). For a hit this fraction is at most
    // `spread`, so errors of E in each of u, v, w move it by at most 4 E spread / |u + v + w|.
    // Where the divisor is zero all is infinite or NaN, and no comparison with it rejects.
    const Float8 up = z[1] - z[0], over = z[2] - z[0];
    const Float8 scale = Float8(1.0f) / (u + v + w);
    const Float8 at = mul_add(mul_add(v, up, w * over), scale, z[0]) * Float8(r.sign);
    const Float8 spread = (abs(up) + abs(over)) * Float8(5.0f * visit.bound);
    const Float8 slack = mul_add(spread, abs(scale), Float8(r.plane_error));
    const Float8 first = at - slack, last = at + slack;
    const Mask8 outside = (Float8(r.begin) > last) | (first > Float8(r.end));
    const Mask8 near = squares <= Float8(visit.reach * visit.reach);
    Passed& passed = passed_[n];
    passed.first = first;
    passed.last = last;
    passed.leaf = visit.leaf;
    passed.ray = visit.ray;
    passed.lanes = bits(inside) & ~bits(outside);
    passed.front = bits((lowest > bound) & near);
    passed.back = bits((minus_bound > highest) & near);
    n += passed.lanes != 0;
  }
  visits_ = 0;
  for (int j = 0; j < n; ++j) take(passed_[j]);
}

template <RayMode kMode>
void RayLeaves<kMode>::take(const Passed& passed) {
  const FrameRay& r = packet_.frame[passed.ray];
  const unsigned lanes = passed.lanes & packet_.tree.lanes(passed.leaf);
  const unsigned front = passed.front, back = passed.back;
  if (kMode == RayMode::closest) {
    const unsigned sure = lanes & (front | back) & bits(passed.first > Float8(r.sure_begin));
    if (sure) {
      alignas(32) float behind[kLanes];
      passed.last.store(behind);
      float end = r.end;
      for_each_bit(sure, [&](int k) { end = std::min(end, behind[k] + r.depth_error); });
      packet_.set_end(passed.ray, end);
    }
  }
  prefetch(&packet_.tree.corners(passed.leaf), sizeof(LeafCorners));
  alignas(32) float before[kLanes];
  passed.first.store(before);
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
