// One job from its roots to its colliding triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "base/ticker.hpp"
#include "bvh/pair/leaf_pairs.hpp"
#include "bvh/pair/set_aside.hpp"
#include "mesh/stars.hpp"
#include "pairs/findings.hpp"

namespace impinge::bvh {

// Buffers that a thread keeps between queries. Lent, not shared: a progress callback may start
// another query on the thread in the middle of one.
struct Scratch {
  Batch batch;
  std::deque<Buffer<Item>> fronts;  // by depth; growing leaves the others in place

  Buffer<Item>& front(std::size_t depth) {
    while (fronts.size() <= depth) fronts.emplace_back();
    fronts[depth].clear();
    return fronts[depth];
  }
};

class LentScratch {
 public:
  LentScratch();
  ~LentScratch();
  LentScratch(const LentScratch&) = delete;
  LentScratch& operator=(const LentScratch&) = delete;
  Scratch* operator->() const { return scratch_.get(); }

 private:
  std::unique_ptr<Scratch> scratch_;
};

// Belongs to one thread; keys are appended.
class Pairing {
 public:
  // `shares`: in how many the job is cut.
  Pairing(const Job& job, const Rule& rule, Buffer<Key>& keys, Ticker* ticker = nullptr,
          int worker = 0, std::size_t shares = 1);

  Levels top() const { return {job_.a.tree->boxes().top(), job_.b.tree->boxes().top()}; }

  // One level down.
  void expand(Levels levels, const Item* items, std::size_t n, Buffer<Item>& out);

  // All the way down, and the exact tests. Where that leads nowhere, pairs are set aside.
  void descend(Levels levels, const Item* items, std::size_t n, std::size_t depth = 0);

  const SetAside& set_aside() const { return set_aside_; }
  // Some of what shares of this job have set aside. Keys may be appended more than once; `most`
  // limits those that differ, and the rule of the pairing none.
  void join(const JobJoin& join, const JoinCell& cell, std::size_t most);

  // Everything, until one pair is found.
  void find_first();

  // Neighbours: stars that may be proven free at once, and those that never are.
  void certify_stars(std::size_t begin, std::size_t end);
  void test_irregular(std::size_t begin, std::size_t end);

  const Counters& counters() const { return counters_; }

 private:
  // Grows the map by the margin, and gives it in the frame; zero without one.
  float prepare(double margin);
  void judge_leaves(const Item* items, std::size_t n);
  bool leads_nowhere() const { return patience_.is_over(counters_, keys_.size() - before_); }
  float distance(Item item, Levels levels) const;
  void test_star(const Stars& stars, std::int32_t vertex);
  bool go_on() { return !ticker_ || ticker_->pulse(worker_); }
  bool found() const { return keys_.size() > before_; }

  const Job& job_;
  const Rule& rule_;
  Buffer<Key>& keys_;
  const std::size_t before_;  // keys that were there
  Ticker* ticker_;
  int worker_;
  LentScratch scratch_;
  std::optional<TreeToTree> map_;
  const float error_, reach_;
  Counters counters_;
  const SlotsOfTrees slots_;
  Judge<SlotsOfTrees> judge_;
  const Patience patience_;
  SetAside set_aside_;
};

}  // namespace impinge::bvh
