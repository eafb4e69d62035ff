// The same hierarchy and the same descent as for triangles, with bodies for items.
#include "pairs/broad_phase.hpp"

#include <algorithm>

#include "base/buffer.hpp"
#include "boxes/frame_map.hpp"
#include "boxes/front.hpp"
#include "boxes/median_order.hpp"

namespace impinge {
namespace {

// So few pairs are looked at one by one, before a hierarchy would be built.
constexpr std::size_t kFewPairs = 512;

bool is_empty(const Bounds& b) { return !(b.lo[0] <= b.hi[0]); }

// Float boxes around float64 ones: rounding is monotone, so overlap is never lost.
Box round_box(const Bounds& b, const Frame& frame) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = static_cast<float>((b.lo[k] - frame.centre[k]) * frame.scale);
    box.hi[k] = static_cast<float>((b.hi[k] - frame.centre[k]) * frame.scale);
  }
  return box;
}

std::vector<BodyPair> one_by_one(const std::vector<Bounds>& bounds,
                                 const std::vector<BodyPair>* only) {
  std::vector<BodyPair> pairs;
  const auto look = [&](const BodyPair& p) {
    const Bounds &a = bounds[p.a], &b = bounds[p.b];
    if (!is_empty(a) && !is_empty(b) && !apart(a, b)) pairs.push_back(p);
  };
  if (only) {
    std::for_each(only->begin(), only->end(), look);
  } else {
    for (std::uint32_t a = 0; a < bounds.size(); ++a) {
      for (std::uint32_t b = a + 1; b < bounds.size(); ++b) look({a, b});
    }
  }
  return pairs;
}

}  // namespace

std::vector<BodyPair> broad_phase(const std::vector<Bounds>& all, const std::vector<BodyPair>* only,
                                  int workers) {
  const std::size_t n = all.size();
  if ((only ? only->size() : n * (n - 1) / 2) <= kFewPairs) return one_by_one(all, only);
  std::vector<BodyPair> pairs;
  std::vector<Bounds> bounds;
  std::vector<std::uint32_t> body_of;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_empty(all[i])) continue;
    bounds.push_back(all[i]);
    body_of.push_back(static_cast<std::uint32_t>(i));
  }
  if (bounds.size() < 2) return pairs;

  Bounds around = kNoBounds;
  for (const Bounds& b : bounds) include(around, b.lo, b.hi);
  const Frame frame = frame_of(around);
  std::vector<Box> boxes(bounds.size());
  const std::size_t room = (bounds.size() + kLanes - 1) / kLanes * kLanes;
  std::vector<float> memory(2 * SpaceCentres::kPlanes * room);
  const SpaceCentres centres(memory.data(), room);
  const SpaceCentres spare(memory.data() + memory.size() / 2, room);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    boxes[i] = round_box(bounds[i], frame);
    const Box& b = boxes[i];
    for (int k = 0; k < 3; ++k) centres.plane[k][i] = b.lo[k] + b.hi[k];
    centres.set_id(i);
  }
  std::vector<std::int32_t> order(bounds.size());
  order_by_medians(centres, spare, order.size(), order.data(), workers);
  Hierarchy tree;
  std::vector<Node> nodes(Hierarchy::nodes_for(order.size()));
  tree.place(order.size(), nodes.data());
  for (std::size_t i = 0; i < order.size(); ++i) tree.set_item(i, boxes[order[i]]);
  tree.refit_upwards(2, workers);

  Buffer<Item> front, next;
  front.push({0, 0});
  for (int level = tree.top(); level > 0; --level) {
    next.clear();
    expand_self(tree, level, 0.0f, front.data(), front.size(), next);
    front.swap(next);
  }
  for (const Item& item : front) {
    if (item.a == item.b) continue;
    const std::uint32_t a = body_of[order[item.a]], b = body_of[order[item.b]];
    pairs.push_back({std::min(a, b), std::max(a, b)});
  }
  if (only) {
    std::erase_if(pairs, [&](const BodyPair& p) {
      return !std::binary_search(only->begin(), only->end(), p);
    });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace impinge
