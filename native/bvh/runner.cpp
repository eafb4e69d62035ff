#include "bvh/runner.hpp"

#include <algorithm>
#include <span>

#include "bvh/sort.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// A front this long is cut into many slices, for balance and for progress.
constexpr std::size_t kFrontToSlice = 2048;
// One that is shorter above the leaves is cut into few, since each slice maps its leaves anew.
constexpr std::size_t kFrontToShare = 48;
// So many are worth another thread's help.
constexpr std::size_t kKeysToShare = 16384;
constexpr std::size_t kStarBlocksPerTask = 512;
constexpr std::size_t kIrregularPerTask = 64;
// Memory for results is kept for the next query up to this size: fresh pages are slow.
constexpr std::size_t kKeysToKeep = std::size_t{1} << 19;

std::vector<std::unique_ptr<Output>>& idle_outputs() {
  thread_local std::vector<std::unique_ptr<Output>> idle;
  return idle;
}

// One of several pieces of what two sorted runs become together.
void merge_piece(std::span<const Key> a, std::span<const Key> b, std::size_t piece,
                 std::size_t pieces, Key* to) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.empty()) return;
  const auto cut = [&](std::size_t i) { return a.data() + a.size() * i / pieces; };
  const auto match = [&](std::size_t i) {
    const Key *first = b.data(), *last = first + b.size();
    return i == pieces ? last : i == 0 ? first : std::lower_bound(first, last, *cut(i));
  };
  std::merge(cut(piece), cut(piece + 1), match(piece), match(piece + 1),
             to + (cut(piece) - a.data()) + (match(piece) - b.data()));
}

}  // namespace

Runner::Runner(std::vector<Job> jobs, const Options& options, int workers,
               const Ticker::Callback& tick)
    : jobs_(std::move(jobs)), options_(options), workers_(workers), tick_(tick) {
  auto& idle = idle_outputs();
  for (int i = 0; i < workers; ++i) {
    if (idle.empty()) {
      outputs_.push_back(std::make_unique<Output>());
    } else {
      outputs_.push_back(std::move(idle.back()));
      idle.pop_back();
    }
  }
}

Runner::~Runner() {
  for (auto& output : outputs_) {
    if (output->keys.capacity() > kKeysToKeep) continue;
    output->keys.clear();
    output->runs.clear();
    output->counters = {};
    idle_outputs().push_back(std::move(output));
  }
}

void Runner::run() {
  plan();
  Ticker ticker(tasks_.size(), tick_);
  parallel_for(workers_, tasks_.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
    for (; b < e; ++b) {
      execute(tasks_[b], *outputs_[worker], ticker, worker);
      ticker.done(worker);
    }
  });
}

// Each thread's keys are sorted on their own, then merged two by two.
void Runner::gather_together(Found& found) {
  std::size_t n = 0;
  for (const auto& output : outputs_) {
    n += output->keys.size();
    found.counters.add(output->counters);
  }
  const int workers = n < kKeysToShare ? 1 : workers_;
  parallel_for(workers, outputs_.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      Output& output = *outputs_[b];
      sort_keys(output.keys.data(), output.keys.size(), kIdBits + 3, output.spare);
    }
  });
  std::vector<std::span<const Key>> runs;
  for (const auto& output : outputs_) runs.emplace_back(output->keys);
  const auto pieces = static_cast<std::size_t>(workers);
  Buffer<Key> merged;
  do {
    merged.resize(n);
    if (runs.size() % 2) runs.emplace_back();
    std::vector<std::span<Key>> together;
    for (Key* to = merged.data(); 2 * together.size() < runs.size();) {
      const std::size_t i = 2 * together.size();
      together.emplace_back(to, runs[i].size() + runs[i + 1].size());
      to += together.back().size();
    }
    parallel_for(workers, together.size() * pieces, 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        const std::size_t i = b / pieces;
        merge_piece(runs[2 * i], runs[2 * i + 1], b % pieces, pieces, together[i].data());
      }
    });
    runs.assign(together.begin(), together.end());
    found.keys.swap(merged);
  } while (runs.size() > 1);
  found.run_ends = {n};
}

void Runner::gather_by_job(Found& found) {
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
                found.keys.data() + next[run.job]);
      next[run.job] += run.end - run.begin;
    }
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    sort_keys(found.keys.data() + start[i], start[i + 1] - start[i], kIdBits + 3,
              outputs_[0]->spare);
  }
  found.run_ends.assign(start.begin() + 1, start.end());
}

// Many jobs: one task each. Few: their fronts are expanded here and cut into slices.
void Runner::plan() {
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

void Runner::slice_front(std::uint32_t job) {
  Pairing pairing(jobs_[job], options_, *outputs_[0]);
  Buffer<Item> front, next;
  front.push({0, 0});
  Levels levels = pairing.top();
  const auto shared = [&] {
    return workers_ > 1 && levels.next().done() && front.size() >= kFrontToShare;
  };
  while (!levels.done() && front.size() < kFrontToSlice && !shared()) {
    next.clear();
    pairing.expand(levels, front.data(), front.size(), next);
    front.swap(next);
    levels = levels.next();
  }
  const std::size_t begin = front_.size();
  std::copy_n(front.data(), front.size(), front_.grow(front.size()));
  front_.advance(front.size());
  const std::size_t slices = front.size() >= kFrontToSlice ? 8 * workers_
                             : shared()                    ? 2 * workers_
                                                           : 1;
  cut(job, Work::descend, levels, begin, front_.size(), front.size() / slices + 16);
}

void Runner::cut(std::uint32_t job, Work work, Levels levels, std::size_t begin, std::size_t end,
                 std::size_t step) {
  for (; begin < end; begin += step) {
    tasks_.push_back({job, work, levels, begin, std::min(end, begin + step)});
  }
}

void Runner::execute(const Task& task, Output& output, Ticker& ticker, int worker) {
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

}  // namespace impinge
