#include "bvh/distance/distance_search.hpp"

#include <algorithm>

#include "bvh/distance/leaf_distance.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kStepsPerPulse = 64;
// Pairs followed down for the first bound.
constexpr int kBeam = 16;
// Sweeps that only improve the bound, as long as each gains this much.
constexpr int kEarlySweeps = 3;
constexpr double kGain = 1e-4;
// Pairs of leaves looked into for a better bound, before all of them are.
constexpr std::ptrdiff_t kProbes = 4;

}  // namespace

void DistanceSearch::run(Ticker& ticker, int worker) {
  dive();
  if (!sweep(ticker, worker)) branch_and_bound(ticker, worker);
}

Levels DistanceSearch::top() const {
  return {bodies_.a.tree->boxes().top(), bodies_.b.tree->boxes().top()};
}

// Down a few of the nearest children of each level, for a first bound.
void DistanceSearch::dive() {
  Near beam[kBeam] = {{0, {0, 0}}};
  Near found[kBeam + kLanes * kLanes];
  int width = 1;
  for (Levels levels = top(); !levels.done(); levels = levels.next()) {
    int n = 0;
    float cut = best_.cuts().squared;
    for (int i = 0; i < width; ++i) {
      n += children(levels, beam[i].item, direction(levels, beam[i].item), cut, found + n);
      if (n < kBeam) continue;
      // What is farther than the last of them need not be looked at.
      std::nth_element(found, found + kBeam - 1, found + n);
      n = kBeam;
      cut = found[kBeam - 1].bound;
    }
    width = n;
    std::copy_n(found, width, beam);
  }
  probe_first(beam, beam + width);
}

// Looks along the line between the closest points so far. What a plane nearly separates has few
// leaves that reach far enough there; then all their pairs are tried and the search is over.
// False when they are too many.
bool DistanceSearch::sweep(Ticker& ticker, int worker) {
  const Tree &a = *bodies_.a.tree, &b = *bodies_.b.tree;
  const GapLimits& cuts = best_.cuts();
  Sweep& sweep = scratch_.sweep;
  for (int round = 0; best_.known() && !best_.meets(); ++round) {
    if (!sweep.gather(a, b, best_.line())) return false;
    if (round < kEarlySweeps && sweep.worth_a_look()) {
      const double before = best_.value();
      std::vector<Near>& few = sweep.look(a, b, bodies_.relative, cuts);
      probe_first(few.data(), few.data() + few.size());
      if (best_.value() < before * (1 - kGain)) continue;
    }
    std::vector<Near>& pairs = sweep.pairs(a, b, bodies_.relative, cuts);
    probe_first(pairs.data(), pairs.data() + pairs.size());
    std::erase_if(pairs, [&](const Near& near) { return near.bound > cuts.linear; });
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < pairs.size() && !best_.meets(); ++i) {
      if (pairs[i].bound > cuts.linear) break;
      if (i % kStepsPerPulse == 0 && !ticker.pulse(worker)) break;
      compare(pairs[i].item, best_.line());
    }
    return true;
  }
  return best_.meets();
}

void DistanceSearch::branch_and_bound(Ticker& ticker, int worker) {
  std::vector<Step>& stack = scratch_.stack;
  stack.clear();
  stack.push_back({{0, {0, 0}}, top()});
  for (std::size_t steps = 0; !stack.empty() && !best_.meets(); ++steps) {
    if (steps % kStepsPerPulse == 0 && !ticker.pulse(worker)) return;
    const Step step = stack.back();
    stack.pop_back();
    if (step.near.bound <= best_.cuts().squared) expand(step);
  }
}

void DistanceSearch::expand(const Step& step) {
  ++counters_.node_pairs;
  const GapLimits& cuts = best_.cuts();
  Near found[kLanes * kLanes];
  const Direction parents = direction(step.levels, step.near.item);
  const int n = children(step.levels, step.near.item, parents, cuts.squared, found);
  const Levels below = step.levels.next();
  if (below.done()) {
    for (int i = 0; i < n && !best_.meets(); ++i) {
      if (found[i].bound <= cuts.squared) compare(found[i].item, parents);
    }
  } else {
    for (int i = 0; i < n; ++i) scratch_.stack.push_back({found[i], below});
  }
}

// The pairs of leaves that look closest.
void DistanceSearch::probe_first(Near* begin, Near* end) {
  Near* const last = begin + std::min(kProbes, end - begin);
  std::partial_sort(begin, last, end);
  for (; begin < last && !best_.meets(); ++begin) probe_leaves(bodies_, begin->item, best_);
}

void DistanceSearch::compare(Item leaves, const Direction& known) {
  ++counters_.leaf_pairs;
  compare_leaves(bodies_, leaves, known, best_);
}

Direction DistanceSearch::direction(Levels levels, Item item) const {
  return {bodies_.a.tree->boxes().box(levels.a, item.a),
          bodies_.b.tree->boxes().box(levels.b, item.b), bodies_.relative, best_.far_cut()};
}

// The pairs of children that are near enough.
int DistanceSearch::children(Levels levels, Item item, const Direction& n, float cut,
                             Near* found) const {
  const Hierarchy &a = bodies_.a.tree->boxes(), &b = bodies_.b.tree->boxes();
  const bool lower_a = levels.lowers_a(), lower_b = levels.lowers_b();
  const Box8 own_b =
      lower_b ? load_boxes(b.node(levels.b, item.b)) : broadcast(b.box(levels.b, item.b));
  const Box8 moved = bodies_.relative.boxes(own_b);
  // Along a direction b's boxes are taken as they are, without the loss of turning them.
  const Float8 least_b = BoxesAlong(own_b, n.b).least() + Float8(n.start);
  const unsigned columns = lower_b ? b.children(levels.b, item.b) : 1u;
  const std::uint32_t first_b = lower_b ? item.b * kLanes : item.b;
  int count = 0;
  const auto row = [&](const Box& box, float most_a, std::uint32_t index_a) {
    alignas(32) float squared[kLanes];
    const Float8 gaps = squared_gaps(broadcast(box), moved);
    gaps.store(squared);
    const Mask8 near = (gaps <= Float8(cut)) & (least_b <= Float8(most_a));
    for_each_bit(bits(near) & columns, [&](int c) {
      found[count++] = {squared[c], {index_a, first_b + static_cast<std::uint32_t>(c)}};
    });
  };
  if (!lower_a) {
    const Box box = a.box(levels.a, item.a);
    row(box, lowest(BoxesAlong(broadcast(box), n.a).most()), item.a);
    return count;
  }
  const Node& node = a.node(levels.a, item.a);
  const Box8 own_a = load_boxes(node), whole = broadcast(hull(moved));
  const Float8 most_a = BoxesAlong(own_a, n.a).most();
  alignas(32) float reach[kLanes];
  most_a.store(reach);
  const Mask8 rows =
      (squared_gaps(own_a, whole) <= Float8(cut)) & (Float8(lowest(least_b)) <= most_a);
  for_each_bit(bits(rows) & a.children(levels.a, item.a), [&](int r) {
    row(lane(node, r), reach[r], item.a * kLanes + static_cast<std::uint32_t>(r));
  });
  return count;
}

}  // namespace impinge::bvh
