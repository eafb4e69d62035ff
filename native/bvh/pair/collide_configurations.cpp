#include "bvh/pair/collide_configurations.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <span>
#include <utility>

#include "base/pool.hpp"
#include "bvh/pair/pairing.hpp"
#include "bvh/pair/ready.hpp"
#include "bvh/pair/runner.hpp"
#include "pairs/run.hpp"

namespace impinge::bvh {
namespace {

// So many jobs are made at a time, or of so many configurations, which may have none.
constexpr std::size_t kJobsAtOnce = 1 << 14, kConfigurationsAtOnce = 1 << 14;

std::optional<double> reach_of(const Rule& rule) {
  return rule.margin > 0 ? std::optional(rule.margin) : std::nullopt;
}

// Whether any bodies meet, one configuration after the other. Belongs to one thread.
class Touching {
 public:
  Touching(const Asked& asked, const Rule& rule, Ticker& ticker, int worker)
      : asked_(asked),
        rule_(rule),
        ticker_(ticker),
        worker_(worker),
        placed_(asked, reach_of(rule)) {
    if (asked.moving_pairs()) pairs_ = *asked.moving_pairs();
  }

  bool operator()(std::size_t configuration) {
    placed_.place(configuration);
    if (asked_.moving_pairs()) return any_listed() || any_self();
    placed_.near_pairs(nullptr, pairs_);
    return std::any_of(pairs_.begin(), pairs_.end(),
                       [this](const BodyPair& p) { return meet(p); }) ||
           any_self();
  }

 private:
  // What has met moves forward, so that it is asked sooner next time.
  bool any_listed() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!placed_.may_meet(pairs_[i]) || !placed_.parts_may_meet(pairs_[i])) continue;
      if (!meet(pairs_[i])) continue;
      std::swap(pairs_[i], pairs_[i / 2]);
      return true;
    }
    return false;
  }

  bool any_self() {
    for (const std::uint32_t body : asked_.moving_self()) {
      if (find({placed_[body], placed_[body], 0, 0, true})) return true;
    }
    return false;
  }

  bool meet(const BodyPair& p) { return find(make_job(placed_[p.a], placed_[p.b], 0, 0)); }

  bool find(const Job& job) {
    keys_.clear();
    Pairing(job, rule_, keys_, &ticker_, worker_).find_first();
    return !keys_.empty();
  }

  const Asked& asked_;
  const Rule& rule_;
  Ticker& ticker_;
  const int worker_;
  PlacedBodies placed_;
  std::vector<BodyPair> pairs_;
  Buffer<Key> keys_;
};

// The jobs of some configurations.
struct Block {
  std::vector<Job> jobs;
  std::vector<std::size_t> ends;  // of the jobs of each configuration
};

class Blocks {
 public:
  Blocks(const Asked& asked, const Rule& rule) : asked_(asked), placed_(asked, reach_of(rule)) {
    std::uint32_t faces = 0;
    for (const Body& body : asked.bodies()) {
      offsets_.push_back(faces);
      faces += static_cast<std::uint32_t>(body.tree->face_count());
    }
  }

  // Those from the configuration `begin` on, at least one.
  Block next(std::size_t begin) {
    Block block;
    for (std::size_t i = begin; i < asked_.configurations().count; ++i) {
      placed_.place(i);
      placed_.near_pairs(asked_.moving_pairs(), near_);
      for (const BodyPair& p : near_) {
        block.jobs.push_back(make_job(placed_[p.a], placed_[p.b], offsets_[p.a], offsets_[p.b]));
      }
      for (const std::uint32_t body : asked_.moving_self()) {
        const std::uint32_t offset = offsets_[body];
        block.jobs.push_back({placed_[body], placed_[body], offset, offset, true});
      }
      block.ends.push_back(block.jobs.size());
      if (block.jobs.size() >= kJobsAtOnce || block.ends.size() == kConfigurationsAtOnce) break;
    }
    return block;
  }

 private:
  const Asked& asked_;
  PlacedBodies placed_;
  std::vector<std::uint32_t> offsets_;
  std::vector<BodyPair> near_;
};

// Appends the keys of one configuration after the other, each with those of what rests.
class Runs {
 public:
  Runs(Found<Counters>& found, std::span<const Key> resting, std::size_t most)
      : found_(found), resting_(resting), most_(most) {}

  void add(const Buffer<Key>& keys, const std::vector<std::size_t>& job_ends, const Block& block) {
    std::size_t begin = 0;
    for (const std::size_t jobs : block.ends) {
      const std::size_t end = jobs ? job_ends[jobs - 1] : 0;
      add(keys.data() + begin, end - begin);
      begin = end;
    }
  }

 private:
  void add(const Key* keys, std::size_t n) {
    Buffer<Key>& all = found_.keys;
    const std::size_t before = all.size(), total = before + n + resting_.size();
    if (total > most_) throw TooManyPairs();
    all.resize(total);
    std::copy_n(keys, n, all.begin() + before);
    std::copy(resting_.begin(), resting_.end(), all.begin() + before + n);
    std::sort(all.begin() + before, all.end());
    found_.run_ends.push_back(total);
  }

  Found<Counters>& found_;
  const std::span<const Key> resting_;
  const std::size_t most_;
};

}  // namespace

Found<Counters> collide_configurations(const Asked& asked, const Rule& rule, int workers,
                                       const Ticker::Callback& tick) {
  const std::size_t count = asked.configurations().count;
  Found<Counters> found;
  if (count == 0) return found;
  if (rule.margin == 0) asked.expect(workers);
  const std::vector<BodyPair> resting_pairs = asked.resting_pairs(reach_of(rule), workers);
  const Found<Counters> resting = collide_scene(asked.bodies(), &resting_pairs,
                                                asked.resting_self(), rule, workers, silent(tick));
  found.counters = resting.counters;
  found.body_pairs = resting.body_pairs;
  Stopwatch watch;
  Blocks blocks(asked, rule);
  Runs runs(found, resting.keys, rule.most);
  for (std::size_t begin = 0; begin < count;) {
    const double told = static_cast<double>(begin) / static_cast<double>(count);
    if (tick) tick(told);
    Block block = blocks.next(begin);
    std::deque<ClearSheets> known;
    found.counters.clear_sheets += make_ready(block.jobs, rule, workers, known);
    found.broad_seconds += watch.lap();
    const auto share = static_cast<double>(block.ends.size()) / static_cast<double>(count);
    const Ticker::Callback part =
        tick ? Ticker::Callback([&](double fraction) { tick(told + share * fraction); }) : tick;
    Runner runner(block.jobs, rule, workers, part);
    found.counters = sum(found.counters, runner.run());
    found.body_pairs += block.jobs.size();
    found.traverse_seconds += watch.lap();
    std::vector<std::size_t> job_ends;
    const Buffer<Key> keys = runner.findings().by_job(block.jobs.size(), job_ends);
    runs.add(keys, job_ends, block);
    found.sort_seconds += watch.lap();
    begin += block.ends.size();
  }
  return found;
}

void touch_configurations(const Asked& asked, const Rule& rule, int workers,
                          const Ticker::Callback& tick, bool* touches) {
  const std::size_t count = asked.configurations().count;
  if (count == 0) return;
  if (rule.margin == 0) asked.expect(workers);
  const std::vector<BodyPair> resting = asked.resting_pairs(reach_of(rule), workers);
  const bool rests =
      collides_scene(asked.bodies(), &resting, asked.resting_self(), rule, workers, silent(tick));
  std::fill_n(touches, count, rests);
  if (rests) return;
  std::vector<std::unique_ptr<Touching>> each(static_cast<std::size_t>(workers));
  Ticker ticker(count, tick);
  // neighbours are often alike, and what a thread has learned of one helps with the next
  constexpr std::size_t kGrain = 16;
  parallel_for(workers, count, kGrain, [&](std::size_t i, std::size_t end, int worker) {
    std::unique_ptr<Touching>& own = each[static_cast<std::size_t>(worker)];
    if (!own) own = std::make_unique<Touching>(asked, rule, ticker, worker);
    for (; i < end; ++i) {
      touches[i] = (*own)(i);
      ticker.done(worker);
    }
  });
}

}  // namespace impinge::bvh
