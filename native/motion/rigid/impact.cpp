#include "motion/rigid/impact.hpp"

#include <algorithm>
#include <atomic>

#include "base/pool.hpp"
#include "base/sum.hpp"
#include "bvh/pair/collide.hpp"
#include "bvh/pair/pairing.hpp"
#include "motion/rigid/first_contact.hpp"

namespace impinge::motion {
namespace {

std::size_t longest(const std::vector<Motions>& motions) {
  std::size_t most = 1;
  for (const Motions& one : motions) most = std::max(most, one.count());
  return most;
}

// Boxes of everything a body passes, grown so that those overlap whose gap may count as contact.
std::vector<Bounds> swept_bounds(const std::vector<const bvh::PreparedTree*>& trees,
                                 const std::vector<Motions>& motions, std::size_t i,
                                 const Question& question) {
  double size = 0;
  std::vector<Bounds> bounds;
  for (std::size_t k = 0; k < trees.size(); ++k) {
    const bvh::Tree& tree = trees[k]->tree();
    bounds.push_back(tree.empty() ? kNoBounds : swept(motions[k][i], tree.bounds()));
    if (!tree.empty()) size = std::max(size, diagonal(tree.bounds()));
  }
  const double near = question.tolerance < 0 ? kDefaultTolerance * 2 * size : question.tolerance;
  for (Bounds& one : bounds) {
    if (one.lo[0] <= one.hi[0]) one = grown(one, near);
  }
  return bounds;
}

}  // namespace

Impacts impacts(const bvh::PreparedTree& a, const Motions& motions_a, const bvh::PreparedTree& b,
                const Motions& motions_b, const Question& question, int workers,
                const Ticker::Callback& tick) {
  const std::size_t count = std::max(motions_a.count(), motions_b.count());
  Impacts result;
  result.impacts.resize(count);
  if (a.tree().empty() || b.tree().empty()) return result;
  a.expect_pairs(count, workers);
  b.expect_pairs(count, workers);
  std::vector<FirstContactSearch> each(static_cast<std::size_t>(workers));
  Ticker ticker(count, tick);
  parallel_for(workers, count, 1, [&](std::size_t i, std::size_t end, int worker) {
    FirstContactSearch& own = each[static_cast<std::size_t>(worker)];
    for (; i < end; ++i) {
      result.impacts[i] = own.find(a, motions_a[i], b, motions_b[i], question,
                                   std::numeric_limits<double>::infinity(), ticker, worker);
      ticker.done(worker);
    }
  });
  for (const FirstContactSearch& own : each) result.counters = sum(result.counters, own.counters());
  return result;
}

SceneImpacts scene_impacts(const std::vector<const bvh::PreparedTree*>& trees,
                           const std::vector<Motions>& motions, const std::vector<BodyPair>* only,
                           const Question& question, int workers, const Ticker::Callback& tick) {
  SceneImpacts result;
  result.impacts.resize(longest(motions));
  for (const bvh::PreparedTree* tree : trees) tree->expect_pairs(1, workers);
  std::vector<FirstContactSearch> each(static_cast<std::size_t>(workers));
  Ticker ticker(result.impacts.size(), tick);
  // Threads share the motions, or the pairs of bodies of one.
  const bool alone = result.impacts.size() == 1;
  const auto find = [&](std::size_t i, int threads, int worker) {
    const std::vector<BodyPair> pairs =
        broad_phase(swept_bounds(trees, motions, i, question), only, threads);
    std::vector<Impact> found(pairs.size());
    std::atomic<double> first = std::numeric_limits<double>::infinity();
    parallel_for(threads, pairs.size(), 1, [&](std::size_t p, std::size_t end, int own) {
      for (; p < end; ++p) {
        const auto [a, b] = pairs[p];
        const int by = alone ? own : worker;
        found[p] = each[static_cast<std::size_t>(by)].find(
            *trees[a], motions[a][i], *trees[b], motions[b][i], question,
            first.load(std::memory_order_relaxed), ticker, by);
        double known = first.load(std::memory_order_relaxed);
        while (found[p].time < known && !first.compare_exchange_weak(known, found[p].time)) {
        }
      }
    });
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (found[p].time < result.impacts[i].impact.time) result.impacts[i] = {pairs[p], found[p]};
    }
    ticker.done(worker);
  };
  if (alone) {
    find(0, workers, 0);
  } else {
    parallel_for(workers, result.impacts.size(), 1,
                 [&](std::size_t i, std::size_t end, int worker) {
                   for (; i < end; ++i) find(i, 1, worker);
                 });
  }
  for (const FirstContactSearch& own : each) result.counters = sum(result.counters, own.counters());
  return result;
}

}  // namespace impinge::motion
