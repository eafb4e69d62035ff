#include "bvh/ray_leaves.hpp"

#include <algorithm>
#include <limits>

namespace impinge {

template <RayMode kMode>
void RayLeaves<kMode>::visit(std::uint32_t leaf, std::uint32_t rays) {
  prefetch(&packet_.tree.leaf(leaf), sizeof(Leaf));
  const Node& parent = parents_[leaf / kLanes];
  const std::size_t at = leaf % kLanes;
  float size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, parent.hi[k][at] - parent.lo[k][at]);
  const SideBound side(size, packet_.error);
  for_each_bit(rays, [&](int i) { visit_[visits_++] = {leaf, i, side}; });
  if (visits_ >= kVisits) test_visits();
}

// Triangles that the rays may pass, as far as floats can tell.
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
    const Float8 bound(visit.side.bound);
    const Float8 lowest = min(min(u, v), w), highest = max(max(u, v), w);
    const unsigned lanes = (bits(Float8(0.0f) - bound <= lowest) | bits(highest <= bound)) &
                           packet_.tree.lanes(visit.leaf);
    Passed& passed = passed_[n];
    n += lanes != 0;
    passed.edge[0] = u;
    passed.edge[1] = v;
    passed.edge[2] = w;
    for (int c = 0; c < 3; ++c) passed.z[c] = z[c];
    passed.visit = visit;
    passed.lanes = lanes;
    passed.squares = squares;
  }
  visits_ = 0;
  for (int j = 0; j < n; ++j) test_planes(passed_[j]);
}

// Of these, the triangles that are passed within the limits of the ray.
template <RayMode kMode>
void RayLeaves<kMode>::test_planes(const Passed& passed) {
  FrameRay& r = packet_.frame[passed.visit.ray];
  const Float8 u = passed.edge[0], v = passed.edge[1], w = passed.edge[2];
  // The plane is passed at z0 + (v up + w over) / (u + v + w). For a hit this fraction is at most
  // `spread`, so errors of E in each of u, v, w move it by at most 4 E spread / |u + v + w|. Where
  // the divisor is zero all is infinite or NaN, and no comparison with it rejects.
  const Float8 up = passed.z[1] - passed.z[0], over = passed.z[2] - passed.z[0];
  const Float8 scale = Float8(1.0f) / (u + v + w);
  const Float8 at = mul_add(mul_add(v, up, w * over), scale, passed.z[0]) * Float8(r.sign);
  const Float8 spread = (abs(up) + abs(over)) * Float8(5.0f * passed.visit.side.bound);
  const Float8 slack = mul_add(spread, abs(scale), Float8(r.plane_error));
  const Float8 first = at - slack, last = at + slack;
  const unsigned outside = bits((Float8(r.begin) > last) | (first > Float8(r.end)));
  unsigned lanes = passed.lanes & ~outside;
  if (!lanes) return;
  const SideBound& side = passed.visit.side;
  const Float8 bound(side.bound);
  const Mask8 near = passed.squares <= Float8(side.reach * side.reach);
  const unsigned front = bits((min(min(u, v), w) > bound) & near);
  const unsigned back = bits((Float8(-side.bound) > max(max(u, v), w)) & near);
  if (kMode == RayMode::closest) {
    const unsigned sure = lanes & (front | back) & bits(first > Float8(r.sure_begin));
    if (sure) {
      alignas(32) float behind[kLanes];
      last.store(behind);
      float end = r.end;
      for_each_bit(sure, [&](int k) { end = std::min(end, behind[k] + r.depth_error); });
      packet_.set_end(passed.visit.ray, end);
    }
  }
  prefetch(&packet_.tree.corners(passed.visit.leaf), sizeof(LeafCorners));
  alignas(32) float before[kLanes];
  first.store(before);
  for_each_bit(lanes, [&](int k) {
    const int turn = static_cast<int>(front >> k & 1) - static_cast<int>(back >> k & 1);
    const int facing = r.sign < 0 ? -turn : turn;
    candidate_[candidates_++] = {passed.visit.leaf, passed.visit.ray, k, facing, before[k]};
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
