#include "bvh/pairing.hpp"

#include <algorithm>

#include "bvh/neighbours.hpp"

namespace impinge {
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

Pairing::Pairing(const Job& job, const Options& options, Output& output, Ticker* ticker, int worker)
    : job_(job), options_(options), output_(output), ticker_(ticker), worker_(worker) {
  if (job.self) {
    error_ = self_error(job.a.standing());
  } else {
    mutual_.emplace(job.a, job.b);
    error_ = mutual_->to_a.error;
  }
}

void Pairing::expand(Levels levels, const Item* items, std::size_t n, Buffer<Item>& out) {
  output_.counters.node_pairs += n;
  if (job_.self) {
    const float margin = job_.a.pose.identity ? 0.0f : 2 * error_;
    expand_self(job_.a.tree->boxes(), levels.a, margin, job_.clear, items, n, out);
  } else {
    expand_pair(job_.a.tree->boxes(), job_.b.tree->boxes(), levels, *mutual_, items, n, out);
  }
}

// Level by level, a good many pairs at a time: neighbouring pairs share loads, and the exact
// tests come in batches.
void Pairing::descend(Levels levels, const Item* items, std::size_t n, std::size_t depth) {
  if (levels.done()) {
    for (std::size_t i = 0; i < n && go_on(); i += kLeafPairsPerPulse) {
      narrow().leaves(items + i, std::min(kLeafPairsPerPulse, n - i));
    }
    return;
  }
  for (std::size_t i = 0; i < n && go_on(); i += kTogether) {
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
  const std::size_t before = output_.keys.size();
  std::vector<Step> stack{{{0, 0}, top(), 0}};
  for (std::size_t steps = 0; !stack.empty() && output_.keys.size() == before; ++steps) {
    if (steps % kStepsPerPulse == 0 && !go_on()) return;
    const Step step = stack.back();
    stack.pop_back();
    Buffer<Item>& next = scratch_->front(0);
    expand(step.levels, &step.item, 1, next);
    const Levels below = step.levels.next();
    if (below.done()) {
      narrow().leaves(next.data(), next.size());
      continue;
    }
    const std::size_t pushed = stack.size();
    for (const Item& item : next) stack.push_back({item, below, distance(item, below)});
    // Boxes with near centres are the likeliest to hold a hit: they are taken first.
    std::sort(stack.begin() + static_cast<std::ptrdiff_t>(pushed), stack.end(),
              [](const Step& p, const Step& q) { return p.distance > q.distance; });
  }
  if (job_.self && output_.keys.size() == before) {
    const Stars& stars = job_.a.tree->stars();
    certify_stars(0, stars.blocks.size());
    test_irregular(0, stars.irregular.size());
  }
  if (output_.keys.size() > before) output_.keys.resize(before + 1);
}

void Pairing::certify_stars(std::size_t begin, std::size_t end) {
  const Stars& stars = job_.a.tree->stars();
  for (std::size_t i = begin; i < end; ++i) {
    if ((i - begin) % kStepsPerPulse == 0 && !go_on()) return;
    const Stars::Block& block = stars.blocks[i];
    const unsigned live = (1u << block.lanes) - 1;
    const unsigned open = ~certify(stars, block, job_.a.tree->points(), error_) & live;
    output_.counters.stars += block.lanes;
    for_each_bit(open, [&](int lane) { test_star(stars, stars.ids[block.first + lane]); });
  }
}

void Pairing::test_irregular(std::size_t begin, std::size_t end) {
  const Stars& stars = job_.a.tree->stars();
  output_.counters.stars += end - begin;
  for (std::size_t i = begin; i < end && go_on(); ++i) test_star(stars, stars.irregular[i]);
}

// Squared, between the centres of two boxes, in the frame of a.
float Pairing::distance(Item item, Levels levels) const {
  const Box a = job_.a.tree->boxes().box(levels.a, item.a);
  const Box b = job_.b.tree->boxes().box(levels.b, item.b);
  float middle[3], sum = 0;
  for (int k = 0; k < 3; ++k) middle[k] = 0.5f * (b.lo[k] + b.hi[k]);
  if (mutual_) mutual_->to_a.point(middle);
  for (int k = 0; k < 3; ++k) {
    const float d = 0.5f * (a.lo[k] + a.hi[k]) - middle[k];
    sum += d * d;
  }
  return sum;
}

Narrow Pairing::narrow() {
  return {job_,
          mutual_ ? &*mutual_ : nullptr,
          error_,
          options_,
          scratch_->batch,
          output_.keys,
          output_.counters};
}

void Pairing::test_star(const Stars& stars, std::int32_t vertex) {
  ++output_.counters.stars_open;
  const Tree& tree = *job_.a.tree;
  Narrow exact = narrow();
  const auto corner = [&](std::uint32_t slot, int k) {
    return tree.corners(slot / kLanes).id[k][slot % kLanes];
  };
  for_each_doubtful_pair(
      stars, vertex, tree.points(), error_, corner, [this] { return go_on(); },
      [&](std::uint32_t p, std::uint32_t q) {
        ++output_.counters.star_tests;
        exact.decide(p, q);
      });
}

}  // namespace impinge
