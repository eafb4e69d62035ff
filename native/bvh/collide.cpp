#include "bvh/collide.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>

#include "bvh/front.hpp"
#include "bvh/sort.hpp"
#include "bvh/stars.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// A front this long is cut into slices for the threads (and for progress).
constexpr std::size_t kFrontToSlice = 512;
constexpr std::size_t kStarBlocksPerTask = 512;
constexpr std::size_t kIrregularPerTask = 64;

// Pairs of a level that are expanded together. Enough to share loads and fill batches; few enough
// to keep the fronts of a dense scene in the cache.
constexpr std::size_t kTogether = 1024;

constexpr std::size_t kLeafPairsPerPulse = 4096;

// Steps of short work between two looks at the clock.
constexpr std::size_t kStepsPerPulse = 64;

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

enum class Work { descend, stars, irregular };

struct Task {
  std::uint32_t job;
  Work work;
  Levels levels;
  std::size_t begin, end;  // of the shared front, the star blocks or the irregular vertices
};

// Buffers that a thread keeps between queries.
struct Scratch {
  Batch batch;
  std::deque<Buffer<Item>> fronts;  // by depth; growing leaves the others in place

  Buffer<Item>& front(std::size_t depth) {
    while (fronts.size() <= depth) fronts.emplace_back();
    fronts[depth].clear();
    return fronts[depth];
  }
};
Scratch& scratch() {
  thread_local auto kept = std::make_unique<Scratch>();
  return *kept;
}

struct Output {
  struct Run {
    std::uint32_t job;
    std::size_t begin, end;
  };
  Buffer<Key> keys;
  std::vector<Run> runs;
  Counters counters;
};

// One job with everything its tests need.
class Pairing {
 public:
  Pairing(const Job& job, const Options& options, Output& output, Ticker* ticker = nullptr,
          int worker = 0)
      : job_(job), options_(options), output_(output), ticker_(ticker), worker_(worker) {
    if (job.self) {
      error_ = self_error(job.a);
    } else {
      mutual_.emplace(job.a, job.b);
      error_ = mutual_->to_a.error;
    }
  }

  Levels top() const { return {job_.a.tree->boxes().top(), job_.b.tree->boxes().top()}; }

  void expand(Levels levels, const Item* items, std::size_t n, Buffer<Item>& out) {
    output_.counters.node_pairs += n;
    const Hierarchy& a = job_.a.tree->boxes();
    if (job_.self) {
      const float margin = job_.a.pose.identity ? 0.0f : 2 * error_;
      expand_self(a, levels.a, margin, items, n, out);
    } else {
      expand_pair(a, job_.b.tree->boxes(), levels, *mutual_, items, n, out);
    }
  }

  // Level by level, a good many pairs at a time: neighbouring pairs share loads, and the exact
  // tests come in batches.
  void descend(Levels levels, const Item* items, std::size_t n, std::size_t depth = 0) {
    Scratch& s = scratch();
    if (levels.done()) {
      for (std::size_t i = 0; i < n && go_on(); i += kLeafPairsPerPulse) {
        narrow(s.batch).leaves(items + i, std::min(kLeafPairsPerPulse, n - i));
      }
      return;
    }
    for (std::size_t i = 0; i < n && go_on(); i += kTogether) {
      Buffer<Item>& next = s.front(depth);
      expand(levels, items + i, std::min(kTogether, n - i), next);
      descend(levels.next(), next.data(), next.size(), depth + 1);
    }
  }

  // Depth first, until a pair is found.
  void find_first() {
    Scratch& s = scratch();
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
      Buffer<Item>& next = s.front(0);
      expand(step.levels, &step.item, 1, next);
      const Levels below = step.levels.next();
      if (below.done()) {
        narrow(s.batch).leaves(next.data(), next.size());
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

  void certify_stars(std::size_t begin, std::size_t end) {
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

  void test_irregular(std::size_t begin, std::size_t end) {
    const Stars& stars = job_.a.tree->stars();
    output_.counters.stars += end - begin;
    for (std::size_t i = begin; i < end && go_on(); ++i) test_star(stars, stars.irregular[i]);
  }

 private:
  // Squared, between the centres of two boxes, in the frame of a.
  float distance(Item item, Levels levels) const {
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

  bool go_on() { return !ticker_ || ticker_->pulse(worker_); }

  Narrow narrow(Batch& batch) {
    return {job_,
            mutual_ ? &mutual_->to_a : nullptr,
            error_,
            options_,
            batch,
            output_.keys,
            output_.counters};
  }

  // All pairs around one vertex. A pair with more common vertices is tested at the smallest.
  void test_star(const Stars& stars, std::int32_t vertex) {
    ++output_.counters.stars_open;
    const Tree& tree = *job_.a.tree;
    Narrow exact = narrow(scratch().batch);
    const auto smallest_common = [&](std::uint32_t s, std::uint32_t t) {
      std::int32_t smallest = vertex;
      for (int i = 0; i < 3; ++i) {
        const std::int32_t id = tree.corners(s / kLanes).id[i][s % kLanes];
        if (id >= smallest) continue;
        for (int j = 0; j < 3; ++j) {
          if (tree.corners(t / kLanes).id[j][t % kLanes] == id) smallest = id;
        }
      }
      return smallest;
    };
    const std::uint32_t first = stars.first[vertex];
    for (std::uint32_t i = first; i < stars.first[vertex + 1]; ++i) {
      if ((i - first + 1) % kStepsPerPulse == 0 && !go_on()) return;
      for (std::uint32_t j = i + 1; j < stars.first[vertex + 1]; ++j) {
        if (smallest_common(stars.slots[i], stars.slots[j]) != vertex) continue;
        ++output_.counters.star_tests;
        exact.decide(stars.slots[i], stars.slots[j]);
      }
    }
  }

  const Job& job_;
  const Options& options_;
  Output& output_;
  Ticker* ticker_;
  int worker_;
  std::optional<Mutual> mutual_;
  float error_ = 0;
};

// Float coordinates are finest in the frame of the smaller body's leaves, but both must fit: the
// larger body gives the frame.
Job make_job(Placed a, Placed b, std::uint32_t offset_a, std::uint32_t offset_b) {
  const auto size = [](const Placed& p) {
    double stretch = 0;
    for (const auto& row : p.pose.m) {
      for (int k = 0; k < 3; ++k) stretch = std::max(stretch, std::fabs(row[k]));
    }
    return stretch / p.tree->frame().scale;
  };
  if (size(a) < size(b)) {
    std::swap(a, b);
    std::swap(offset_a, offset_b);
  }
  return {a, b, offset_a, offset_b, false};
}

class Runner {
 public:
  Runner(std::vector<Job> jobs, const Options& options, int workers, const Ticker::Callback& tick)
      : jobs_(std::move(jobs)), options_(options), workers_(workers), tick_(tick) {
    for (int i = 0; i < workers; ++i) outputs_.push_back(std::make_unique<Output>());
  }

  void run() {
    plan();
    Ticker ticker(tasks_.size(), tick_);
    parallel_for(workers_, tasks_.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
      for (; b < e; ++b) {
        execute(tasks_[b], *outputs_[worker], ticker, worker);
        ticker.done(worker);
      }
    });
  }

  // One run with the pairs of all jobs.
  void gather_together(Found& found) {
    for (const auto& output : outputs_) {
      found.keys.insert(found.keys.end(), output->keys.begin(), output->keys.end());
      found.counters.add(output->counters);
    }
    std::vector<Key> spare;
    sort_keys(found.keys.data(), found.keys.size(), spare);
    found.run_ends = {found.keys.size()};
  }

  // A run for each job.
  void gather_by_job(Found& found) {
    std::vector<std::size_t> start(jobs_.size() + 1, 0);
    for (const auto& output : outputs_) {
      found.counters.add(output->counters);
      for (const Output::Run& run : output->runs) start[run.job + 1] += run.end - run.begin;
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) start[i + 1] += start[i];
    found.keys.resize(start.back());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const auto& output : outputs_) {
      for (const Output::Run& run : output->runs) {
        std::copy(output->keys.begin() + run.begin, output->keys.begin() + run.end,
                  found.keys.begin() + static_cast<std::ptrdiff_t>(next[run.job]));
        next[run.job] += run.end - run.begin;
      }
    }
    std::vector<Key> spare;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      sort_keys(found.keys.data() + start[i], start[i + 1] - start[i], spare);
    }
    found.run_ends.assign(start.begin() + 1, start.end());
  }

 private:
  // Many jobs: one task each. Few: their fronts are expanded here and cut into slices.
  void plan() {
    const bool slice = !options_.first && jobs_.size() < 8 * static_cast<std::size_t>(workers_);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto job = static_cast<std::uint32_t>(i);
      if (slice) {
        slice_front(job);
      } else {
        tasks_.push_back({job, Work::descend, {0, 0}, 0, 0});
      }
      if (!jobs_[i].self || options_.first) continue;
      const Stars& stars = jobs_[i].a.tree->stars();
      cut(job, Work::stars, {0, 0}, 0, stars.blocks.size(), kStarBlocksPerTask);
      cut(job, Work::irregular, {0, 0}, 0, stars.irregular.size(), kIrregularPerTask);
    }
  }

  void slice_front(std::uint32_t job) {
    Pairing pairing(jobs_[job], options_, *outputs_[0]);
    Buffer<Item> front, next;
    front.push({0, 0});
    Levels levels = pairing.top();
    while (!levels.done() && front.size() < kFrontToSlice) {
      next.clear();
      pairing.expand(levels, front.data(), front.size(), next);
      front.swap(next);
      levels = levels.next();
    }
    const std::size_t begin = front_.size();
    std::copy_n(front.data(), front.size(), front_.grow(front.size()));
    front_.advance(front.size());
    const std::size_t slices = workers_ > 1 || front.size() > kFrontToSlice ? 8 * workers_ : 1;
    cut(job, Work::descend, levels, begin, front_.size(), front.size() / slices + 16);
  }

  void cut(std::uint32_t job, Work work, Levels levels, std::size_t begin, std::size_t end,
           std::size_t step) {
    for (; begin < end; begin += step) {
      tasks_.push_back({job, work, levels, begin, std::min(end, begin + step)});
    }
  }

  void execute(const Task& task, Output& output, Ticker& ticker, int worker) {
    Pairing pairing(jobs_[task.job], options_, output, &ticker, worker);
    const std::size_t before = output.keys.size();
    if (options_.first) {
      pairing.find_first();
    } else if (task.work == Work::stars) {
      pairing.certify_stars(task.begin, task.end);
    } else if (task.work == Work::irregular) {
      pairing.test_irregular(task.begin, task.end);
    } else if (task.begin == task.end) {
      const Item roots{0, 0};
      pairing.descend(pairing.top(), &roots, 1);
    } else {
      pairing.descend(task.levels, front_.data() + task.begin, task.end - task.begin);
    }
    if (output.keys.size() > before) {
      output.runs.push_back({task.job, before, output.keys.size()});
    }
  }

  const std::vector<Job> jobs_;
  const Options options_;
  const int workers_;
  const Ticker::Callback& tick_;
  std::vector<Task> tasks_;
  Buffer<Item> front_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace

Found collide_scene(const std::vector<Placed>& bodies, const std::vector<BodyPair>* only,
                    const std::vector<std::uint32_t>& self, const Options& options, int workers,
                    const Ticker::Callback& tick) {
  Stopwatch watch;
  Found found;
  std::vector<std::uint32_t> offset(bodies.size() + 1, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    offset[i + 1] = offset[i] + static_cast<std::uint32_t>(bodies[i].tree->face_count());
  }
  std::vector<BodyPair> pairs = broad_phase(bodies, workers);
  const auto before = [](const BodyPair& p, const BodyPair& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  };
  if (only) {
    std::erase_if(pairs, [&](const BodyPair& p) {
      return !std::binary_search(only->begin(), only->end(), p, before);
    });
  }
  std::vector<Job> jobs;
  for (const BodyPair& p : pairs) {
    jobs.push_back(make_job(bodies[p.a], bodies[p.b], offset[p.a], offset[p.b]));
  }
  for (const std::uint32_t i : self) {
    if (bodies[i].tree->empty()) continue;
    jobs.push_back({bodies[i], bodies[i], offset[i], offset[i], true});
  }
  found.body_pairs = pairs.size();
  found.broad_seconds = watch.lap();

  Runner runner(std::move(jobs), options, workers, tick);
  runner.run();
  found.traverse_seconds = watch.lap();
  runner.gather_together(found);
  found.sort_seconds = watch.lap();
  return found;
}

Found collide_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                    const Options& options, int workers, const Ticker::Callback& tick) {
  Stopwatch watch;
  Found found;
  found.body_pairs = pose_count;
  if (a.empty() || b.empty()) {
    found.run_ends.assign(pose_count, 0);
    return found;
  }
  const auto offset = static_cast<std::uint32_t>(a.face_count());
  std::vector<Job> jobs;
  jobs.reserve(pose_count);
  for (std::size_t i = 0; i < pose_count; ++i) {
    jobs.push_back(make_job({&a, Pose()}, {&b, Pose(poses + 16 * i)}, 0, offset));
  }
  Runner runner(std::move(jobs), options, workers, tick);
  runner.run();
  found.traverse_seconds = watch.lap();
  runner.gather_by_job(found);
  found.sort_seconds = watch.lap();
  return found;
}

}  // namespace impinge
