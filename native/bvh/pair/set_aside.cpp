#include "bvh/pair/set_aside.hpp"

#include <algorithm>
#include <functional>

namespace impinge::bvh {
namespace {

void mark_below(int level, std::uint32_t node, std::vector<bool>& leaves) {
  const std::size_t width = std::size_t{1} << (3 * level);
  const std::size_t begin = node * width, end = std::min(leaves.size(), begin + width);
  std::fill(leaves.begin() + static_cast<std::ptrdiff_t>(begin),
            leaves.begin() + static_cast<std::ptrdiff_t>(end), true);
}

// What of the world both bodies are in.
Frame frame_around(const Job& job) {
  Bounds bounds = job.a.frame().world_bounds();
  const Bounds of_b = job.b.frame().world_bounds();
  include(bounds, of_b.lo, of_b.hi);
  return frame_of(bounds);
}

// For pairs within the margin. What holds for vertices moved by the slack of a job holds for twice
// as much between two of them.
double reach_of(const Job& job, double margin, const Frame& frame) {
  constexpr double kBothDiagonally = 4, kRoundedUp = 1.001;
  const double moved = kBothDiagonally * static_cast<double>(job.slack) / job.a.tree->frame().scale;
  // no two coordinates of strips are farther apart
  constexpr double kFarthest = 4;
  return std::min(kFarthest, kRoundedUp * (margin * frame.scale + moved * frame.scale));
}

}  // namespace

void SetAside::add(const Job& job, Levels levels, const Item* items, std::size_t n) {
  a_.resize(job.a.tree->leaf_count());
  if (!job.self) b_.resize(job.b.tree->leaf_count());
  for (const Item* item = items; item < items + n; ++item) {
    mark_below(levels.a, item->a, a_);
    mark_below(levels.b, item->b, job.self ? a_ : b_);
  }
}

void SetAside::add(const SetAside& more) {
  const auto join = [](std::vector<bool>& to, const std::vector<bool>& from) {
    to.resize(from.size());
    std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::logical_or<>());
  };
  join(a_, more.a_);
  join(b_, more.b_);
}

JobJoin::Side::Side(const Body& body, const std::vector<bool>& leaves, const Frame& frame,
                    bool with_corners) {
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (!leaves[leaf]) continue;
    for_each_bit(body.tree->lanes(leaf), [&](int lane) {
      const std::size_t slot = leaf * kLanes + static_cast<std::size_t>(lane);
      slots.push_back(static_cast<std::uint32_t>(slot));
      strips.emplace_back(body.triangle(slot), frame);
      for (int c = 0; c < 3 && with_corners; ++c) {
        corners.push_back(body.tree->corners(leaf).id[c][lane]);
      }
    });
  }
}

JobJoin::JobJoin(const Job& job, const SetAside& leaves, double margin)
    : self_(job.self),
      frame_(frame_around(job)),
      a_(job.a, leaves.a(), frame_, self_),
      b_(self_ ? Side() : Side(job.b, leaves.b(), frame_, false)),
      join_(a_, side_b(), reach_of(job, margin, frame_)) {}

void JobJoin::run(const JoinCell& cell, LeafPairs& leaves, const SpatialJoin::GoOn& go_on) const {
  std::vector<Item> slots;
  const auto judge = [&](std::span<const StripPair> pairs) {
    slots.clear();
    for (const StripPair p : pairs) {
      slots.push_back({a_.slots[strip_a(p)], side_b().slots[strip_b(p)]});
    }
    leaves.judge_triangles(slots);
    return go_on();
  };
  join_.run(cell, judge, go_on);
}

}  // namespace impinge::bvh
