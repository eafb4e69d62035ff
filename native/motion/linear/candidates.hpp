// Features whose swept boxes meet: what may come near each other at all.
#pragma once

#include <cstdint>
#include <span>

#include "base/buffer.hpp"
#include "boxes/front.hpp"
#include "motion/linear/swept_surface.hpp"
#include "motion/linear/trajectories.hpp"

namespace impinge::motion {

// Vertices with the corners of faces, or the ends of two edges, of the same two bodies.
struct Candidates {
  const FeaturePair pair;
  const bool first_is_b;        // else the first feature of each is of body a
  Buffer<std::int32_t> ids[4];  // by the four points, and room for eight more

  std::size_t size() const { return ids[0].size(); }
  void clear() {
    for (auto& id : ids) id.clear();
  }
};

// Two bodies, or one with itself: pairs of leaves, and of those the features.
class Encounter {
 public:
  // With a self encounter both are the same. `margin` is in the frame of the surfaces.
  Encounter(const SweptSurface& a, const SweptSurface& b, float margin)
      : a_(a), b_(b), margin_(margin) {}

  bool is_self() const { return &a_ == &b_; }
  float margin() const { return margin_; }
  // The surface of the first feature, or of the second.
  const SweptSurface& surface(const Candidates& candidates, int feature) const {
    return (feature == 0) == candidates.first_is_b ? b_ : a_;
  }

  // Pairs of nodes, at least `enough` of them if there are; all pairs of leaves are below.
  void begin(std::size_t enough);
  const Buffer<Item>& front() const { return front_; }
  // Calls found(candidates) for the leaves below some items of the front until it is false; counts
  // the pairs of leaves.
  template <class Found>
  std::uint64_t descend(std::span<const Item> items, const Found& found) const;

 private:
  void expand(Levels levels, const Item* items, std::size_t n, Buffer<Item>& out) const;
  void vertices_with_faces(std::uint32_t vertices, std::uint32_t faces, Candidates& out) const;
  void edges_with_edges(const Item& leaves, Candidates& out) const;

  const SweptSurface &a_, &b_;
  const float margin_;
  Levels levels_{0, 0};
  Buffer<Item> front_;
};

template <class Found>
std::uint64_t Encounter::descend(std::span<const Item> items, const Found& found) const {
  Buffer<Item> some, next;
  for (const Item& item : items) some.push(item);
  for (Levels levels = levels_; !levels.done(); levels = levels.next()) {
    next.clear();
    expand(levels, some.data(), some.size(), next);
    some.swap(next);
  }
  // as many as fit into a near cache
  constexpr std::size_t kEnough = 512;
  Candidates lists[] = {{FeaturePair::vertex_face, false, {}},
                        {FeaturePair::vertex_face, true, {}},
                        {FeaturePair::edge_edge, false, {}}};
  const auto hand_over = [&](std::size_t least) {
    for (Candidates& list : lists) {
      if (list.size() < least) continue;
      if (!found(list)) return false;
      list.clear();
    }
    return true;
  };
  for (const Item& leaves : some) {
    vertices_with_faces(leaves.a, leaves.b, lists[0]);
    if (!is_self() || leaves.a != leaves.b) vertices_with_faces(leaves.b, leaves.a, lists[1]);
    edges_with_edges(leaves, lists[2]);
    if (!hand_over(kEnough)) return some.size();
  }
  hand_over(1);
  return some.size();
}

}  // namespace impinge::motion
