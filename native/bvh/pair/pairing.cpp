#include "bvh/pair/pairing.hpp"

#include <algorithm>
#include <vector>

#include "mesh/star_pairs.hpp"

namespace impinge::bvh {
namespace {

// Pairs of a level that are expanded together. Enough to share loads and fill batches; few enough
// to keep the fronts of a dense scene in the cache.
constexpr std::size_t kTogether = 1024;

constexpr std::size_t kLeafPairsPerPulse = 4096;

// Steps of short work between two looks at the clock.
constexpr std::size_t kStepsPerPulse = 64;

std::vector<std::unique_ptr<Scratch>>& idle_scratch() {
  thread_local std::vector<std::unique_ptr<Scratch>> idle;
  return idle;
}

}  // namespace

LentScratch::LentScratch() {
  auto& idle = idle_scratch();
  if (idle.empty()) {
    scratch_ = std::make_unique<Scratch>();
  } else {
    scratch_ = std::move(idle.back());
    idle.pop_back();
  }
}

LentScratch::~LentScratch() {
  scratch_->batch.size = 0;  // an interrupted query may have left some behind
  idle_scratch().push_back(std::move(scratch_));
}

float Pairing::prepare(double margin) {
  if (!(margin > 0)) return 0;
  if (!map_) return self_reach(job_.a.frame(), margin);
  map_->grow(margin);
  return map_->to_a.reach(margin);
}

Pairing::Pairing(const Job& job, const Rule& rule, Buffer<Key>& keys, Ticker* ticker, int worker,
                 std::size_t shares)
    : job_(job),
      rule_(rule),
      keys_(keys),
      before_(keys.size()),
      ticker_(ticker),
      worker_(worker),
      map_(job.self ? std::nullopt
                    : std::optional<TreeToTree>(std::in_place, job.a.frame(), job.b.frame(),
                                                job.a.prepared->slabs(), job.b.prepared->slabs())),
      error_(map_ ? map_->to_a.error : self_error(job.a.frame()) + job.slack),
      reach_(prepare(rule.margin)),
      slots_{job},
      judge_(slots_, rule, error_, scratch_->batch, keys, counters_, reach_),
      patience_(job, shares) {}

void Pairing::expand(Levels levels, const Item* items, std::size_t n, Buffer<Item>& out) {
  counters_.node_pairs += n;
  if (!job_.self) {
    expand_pair(job_.a.tree->boxes(), job_.b.tree->boxes(), levels, *map_, items, n, out);
    return;
  }
  // Slabs do not help here: most pairs are neighbours on the surface, which nothing parts. What is
  // clear is not paired with itself.
  const float margin = self_margin(job_, error_, reach_);
  const auto is_clear = [clear = job_.a.clear](int level, std::uint32_t node) {
    return clear && (*clear)(level, node);
  };
  expand_self(job_.a.tree->boxes(), levels.a, margin, is_clear, items, n, out);
}

void Pairing::judge_leaves(const Item* items, std::size_t n) {
  counters_.leaf_pairs += n;
  LeafPairs(job_, map_ ? &*map_ : nullptr, error_, reach_, scratch_->batch, judge_).judge(items, n);
}

void Pairing::join(const JobJoin& join, const JoinCell& cell, std::size_t most) {
  LeafPairs leaves(job_, map_ ? &*map_ : nullptr, error_, reach_, scratch_->batch, judge_);
  const auto goes_on = [&] {
    if (keys_.size() > most) {
      std::sort(keys_.begin() + before_, keys_.end());
      const Key* const end = std::unique(keys_.begin() + before_, keys_.end());
      keys_.resize(static_cast<std::size_t>(end - keys_.begin()));
      if (keys_.size() - before_ > most) throw TooManyPairs();
    }
    return go_on() && !(rule_.first && found());
  };
  join.run(cell, leaves, goes_on);
}

// Level by level, a good many pairs at a time: neighbouring pairs share loads, and the exact
// tests come in batches.
void Pairing::descend(Levels levels, const Item* items, std::size_t n, std::size_t depth) {
  if (levels.done()) {
    for (std::size_t i = 0; i < n && go_on(); i += kLeafPairsPerPulse) {
      if (leads_nowhere()) return set_aside_.add(job_, levels, items + i, n - i);
      judge_leaves(items + i, std::min(kLeafPairsPerPulse, n - i));
    }
    return;
  }
  for (std::size_t i = 0; i < n && go_on(); i += kTogether) {
    if (leads_nowhere()) return set_aside_.add(job_, levels, items + i, n - i);
    Buffer<Item>& next = scratch_->front(depth);
    expand(levels, items + i, std::min(kTogether, n - i), next);
    descend(levels.next(), next.data(), next.size(), depth + 1);
  }
}

// Depth first, until a pair is found.
void Pairing::find_first() {
  struct Step {
    Item item;
    Levels levels;
    float distance;
  };
  std::vector<Step> stack{{{0, 0}, top(), 0}};
  for (std::size_t steps = 0; !stack.empty() && !found(); ++steps) {
    if (leads_nowhere()) {
      SetAside leaves;
      for (const Step& left : stack) leaves.add(job_, left.levels, &left.item, 1);
      const JobJoin rest(job_, leaves, rule_.margin);
      counters_.joined += rest.size();
      for (const JoinCell& cell : rest.cells(1)) join(rest, cell, rule_.most);
      break;
    }
    if (steps % kStepsPerPulse == kStepsPerPulse - 1 && !go_on()) return;
    const Step step = stack.back();
    stack.pop_back();
    Buffer<Item>& next = scratch_->front(0);
    expand(step.levels, &step.item, 1, next);
    const Levels below = step.levels.next();
    if (below.done()) {
      judge_leaves(next.data(), next.size());
      continue;
    }
    const std::size_t pushed = stack.size();
    for (const Item& item : next) stack.push_back({item, below, distance(item, below)});
    // Boxes with near centres are the likeliest to hold a hit: they are taken first.
    std::sort(stack.begin() + static_cast<std::ptrdiff_t>(pushed), stack.end(),
              [](const Step& p, const Step& q) { return p.distance > q.distance; });
  }
  if (job_.self && !found()) {
    const Stars& stars = job_.a.prepared->stars();
    certify_stars(0, stars.blocks.size());
    test_irregular(0, stars.irregular.size());
  }
  if (found()) keys_.resize(before_ + 1);
}

void Pairing::certify_stars(std::size_t begin, std::size_t end) {
  const Stars& stars = job_.a.prepared->stars();
  for (std::size_t i = begin; i < end; ++i) {
    if ((i - begin) % kStepsPerPulse == 0 && !go_on()) return;
    const Stars::Block& block = stars.blocks[i];
    const unsigned live = (1u << block.lanes) - 1;
    const unsigned open = ~certify(stars, block, job_.a.tree->points(), error_) & live;
    counters_.stars += block.lanes;
    for_each_bit(open, [&](int lane) { test_star(stars, stars.ids[block.first + lane]); });
  }
}

void Pairing::test_irregular(std::size_t begin, std::size_t end) {
  const Stars& stars = job_.a.prepared->stars();
  counters_.stars += end - begin;
  for (std::size_t i = begin; i < end && go_on(); ++i) test_star(stars, stars.irregular[i]);
}

// Squared, between the centres of two boxes, in the frame of a.
float Pairing::distance(Item item, Levels levels) const {
  const Box a = job_.a.tree->boxes().box(levels.a, item.a);
  const Box b = job_.b.tree->boxes().box(levels.b, item.b);
  float middle[3], sum = 0;
  for (int k = 0; k < 3; ++k) middle[k] = 0.5f * (b.lo[k] + b.hi[k]);
  if (map_) map_->to_a.point(middle);
  for (int k = 0; k < 3; ++k) {
    const float d = 0.5f * (a.lo[k] + a.hi[k]) - middle[k];
    sum += d * d;
  }
  return sum;
}

void Pairing::test_star(const Stars& stars, std::int32_t vertex) {
  ++counters_.stars_open;
  const Tree& tree = *job_.a.tree;
  const auto corner = [&](std::uint32_t slot, int k) {
    return tree.corners(slot / kLanes).id[k][slot % kLanes];
  };
  for_each_doubtful_pair(
      stars, vertex, tree.points(), error_, corner, [this] { return go_on(); },
      [this](std::uint32_t p, std::uint32_t q) { judge_.test_neighbours(p, q); });
}

}  // namespace impinge::bvh
