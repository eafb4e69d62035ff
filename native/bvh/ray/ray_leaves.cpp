#include "bvh/ray/ray_leaves.hpp"

#include <algorithm>
#include <limits>

namespace impinge::bvh {

template <RayMode kMode>
void RayLeaves<kMode>::open_all() {
  for (int i = 0; i < visits_; i += kOpened) {
    open(visit_ + i, std::min(visits_ - i, kOpened));
    if (entries_ >= kEntries) test_entries();
  }
  visits_ = 0;
}

template <RayMode kMode>
void RayLeaves<kMode>::open(const Visit* visits, int count) {
  // copies, which no store can change
  const FrameRays<kPacketRays>& rays = packet_.frame;
  const PassedSides order = packet_.sides;
  const Tree& tree = packet_.tree;
  const Node* const parents = &tree.boxes().node(1, 0);
  int n = 0;
  for (int j = 0; j < count; ++j) {
    const Visit visit = visits[j];
    const NodeSides sides(parents[visit.parent], order);
    const auto [enter, leave] = sides.template passed<kMode>(rays, visit.ray);
    const unsigned children = bits(enter <= leave);
    opened_[n] = {visit.parent * kLanes, visit.ray, visit.bound, children};
    n += children != 0;
  }
  Entry* next = entry_ + entries_;
  for_each_child(opened_, n, [&](const Opened& opened, int child) {
    const std::uint32_t index = opened.first + static_cast<std::uint32_t>(child);
    const Leaf* leaf = &tree.leaf(index);
    prefetch(leaf, sizeof(Leaf));
    *next++ = {leaf, index, opened.ray, opened.bound};
  });
  entries_ = static_cast<int>(next - entry_);
}

// Triangles that the rays may pass within their limits, as far as floats can tell.
template <RayMode kMode>
void RayLeaves<kMode>::test_entries() {
  const LeafTest test(packet_.frame);
  Passed* passed = passed_;
  for (const Entry *e = entry_, *end = entry_ + entries_; e != end; ++e) {
    test(*e->leaf, e->ray, e->bound, passed->pass);
    passed->leaf = e->index;
    passed->ray = e->ray;
    passed += passed->pass.lanes != 0;
  }
  entries_ = 0;
  take(passed_, passed);
}

// Certain hits end their rays; all wait for the exact test.
template <RayMode kMode>
void RayLeaves<kMode>::take(const Passed* passed, const Passed* end_of_passed) {
  FrameRays<kPacketRays>& r = packet_.frame;
  const Tree& tree = packet_.tree;
  const int turned = r.sign < 0 ? -1 : 1;
  for (; passed != end_of_passed; ++passed) {
    const int i = passed->ray;
    const LeafPass& pass = passed->pass;
    const unsigned lanes = pass.lanes & tree.lanes(passed->leaf);
    const unsigned front = pass.front(), back = pass.back();
    if (kMode == RayMode::closest) {
      const Float8 first = Float8::load(pass.first);
      const unsigned sure = lanes & (front | back) & bits(first > Float8(r.sure_begin[i]));
      if (sure) {
        float end = r.end[i];
        for_each_bit(sure, [&](int k) { end = std::min(end, pass.last[k] + r.depth_error); });
        packet_.set_end(i, end);
      }
    }
    prefetch(&tree.corners(passed->leaf), sizeof(Corners8));
    tree.prefetch_faces(passed->leaf);
    for_each_bit(lanes, [&](int k) {
      const int turn = static_cast<int>(front >> k & 1) - static_cast<int>(back >> k & 1);
      candidate_[candidates_++] = {passed->leaf, i, k, turned * turn, pass.first[k]};
    });
    if (kMode != RayMode::closest || candidates_ >= kCandidates) test_candidates();
  }
}

template <RayMode kMode>
void RayLeaves<kMode>::test_candidates() {
  typename RayPacket<kMode>::Corners corners[kCandidates + kLanes];
  for (int j = 0; j < candidates_; ++j) {
    corners[j] = packet_.corners(candidate_[j].leaf, candidate_[j].lane);
    for (const double* p : {corners[j].a, corners[j].b, corners[j].c}) prefetch(p, 1);
  }
  for (int j = 0; j < candidates_; ++j) {
    const Candidate& c = candidate_[j];
    const int i = c.ray;
    if (c.begin > packet_.frame.end[i] || (kMode == RayMode::any && packet_.best[i].face >= 0))
      continue;
    const std::size_t slot = std::size_t{c.leaf} * kLanes + static_cast<std::size_t>(c.lane);
    if (!packet_.test(i, slot, corners[j], c.facing)) continue;
    if (kMode == RayMode::any) {
      packet_.set_end(i, -std::numeric_limits<float>::infinity());
    } else if (c.facing == 0 || c.begin <= packet_.frame.sure_begin[i]) {
      // of the others `take` has known nearly as well where they end the ray
      packet_.set_end(i, packet_.frame.behind(i, packet_.best[i].t / packet_.ray[i].unit));
    }
  }
  candidates_ = 0;
}

template class RayLeaves<RayMode::closest>;
template class RayLeaves<RayMode::any>;
template class RayLeaves<RayMode::all>;

}  // namespace impinge::bvh
