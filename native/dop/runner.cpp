#include "dop/runner.hpp"

#include "dop/classic.hpp"
#include "parallel/pool.hpp"

namespace impinge::dop {
namespace {

// A traversal is worth cutting when its parts have so many entries in their lists, and enough
// parts for balance are cut.
constexpr std::size_t kEntriesToShare = 1024;
constexpr std::size_t kPartsPerWorker = 16;

Between between(const Job& job) {
  return job.self ? Between(job.aligned.standing())
                  : Between(job.aligned.standing(), job.tumbled.standing());
}

}  // namespace

Runner::Runner(const std::vector<Job>& jobs, const Options& options, int workers,
               const Ticker::Callback& tick)
    : jobs_(jobs), options_(options), workers_(workers), tick_(tick) {}

void Runner::run() {
  if (jobs_.empty()) return;
  with_blocks(jobs_[0].aligned.tree->directions().blocks(), [&](auto blocks) {
    const bool share = workers_ > 1 && !options_.first && options_.traversal == Traversal::list &&
                       jobs_.size() < 4 * static_cast<std::size_t>(workers_);
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      if (share) {
        cut<blocks>(job);
      } else {
        tasks_.push_back({job, true, {}});
      }
    }
    const std::size_t before = results_.size();
    results_.resize(before + tasks_.size());
    Ticker ticker(tasks_.size(), tick_);
    parallel_for(workers_, tasks_.size(), 1, [&](std::size_t b, std::size_t e, int worker) {
      for (; b < e; ++b) {
        execute<blocks>(tasks_[b], results_[before + b], ticker, worker);
        ticker.done(worker);
      }
    });
  });
  for (const Result& result : results_) counters_.add(result.counters);
}

// The upper levels, breadth first; what is then left to do are the tasks.
template <int kBlocks>
void Runner::cut(std::uint32_t job) {
  const Between where = between(jobs_[job]);
  const Nodes<kBlocks> nodes(jobs_[job], where);
  Result& result = results_.emplace_back();
  result.job = job;
  Judge judge(jobs_[job], where.error, options_, result.counters);
  ListTraversal<kBlocks> traversal(nodes, jobs_[job].self, judge, result.counters);
  std::vector<Part> parts{traversal.start()}, below;
  std::size_t entries = 0;
  while (!parts.empty() && (entries < kEntriesToShare || parts.size() < kPartsPerWorker)) {
    below.clear();
    for (const Part& part : parts) traversal.expand(part, below);
    parts.swap(below);
    entries = 0;
    for (const Part& part : parts) entries += part.list.size() + (jobs_[job].self ? 1 : 0);
  }
  judge.drain();
  result.keys.assign(judge.keys().begin(), judge.keys().end());
  for (Part& part : parts) tasks_.push_back({job, false, std::move(part)});
}

template <int kBlocks>
void Runner::execute(const Task& task, Result& result, Ticker& ticker, int worker) const {
  const Job& job = jobs_[task.job];
  const Between where = between(job);
  const Nodes<kBlocks> nodes(job, where);
  result.job = task.job;
  Judge judge(job, where.error, options_, result.counters);
  if (options_.traversal == Traversal::classic) {
    ClassicTraversal<kBlocks>(nodes, job.self, judge, result.counters, {}, &ticker, worker).run();
  } else {
    ListTraversal<kBlocks> traversal(nodes, job.self, judge, result.counters, {}, &ticker, worker);
    traversal.run(task.whole ? traversal.start() : task.part);
  }
  judge.drain();
  result.keys.assign(judge.keys().begin(), judge.keys().end());
}

void Runner::gather(std::vector<Key>& keys, std::vector<std::size_t>& run_ends,
                    bool together) const {
  std::vector<std::size_t> start(together ? 2 : jobs_.size() + 1, 0);
  const auto run_of = [together](const Result& r) { return together ? 0 : std::size_t{r.job}; };
  for (const Result& result : results_) start[run_of(result) + 1] += result.keys.size();
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  keys.resize(start.back());
  run_ends.assign(start.begin() + 1, start.end());
  for (const Result& result : results_) {
    std::size_t& next = start[run_of(result)];
    std::copy(result.keys.begin(), result.keys.end(),
              keys.begin() + static_cast<std::ptrdiff_t>(next));
    next += result.keys.size();
  }
}

}  // namespace impinge::dop
