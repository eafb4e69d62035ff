#include "dop/runner.hpp"

#include "dop/classic.hpp"
#include "pairs/run.hpp"

namespace impinge::dop {
namespace {

// A traversal is worth cutting when its parts have so many entries in their lists, and enough
// parts for balance are cut.
constexpr std::size_t kEntriesToShare = 1024;
constexpr std::size_t kPartsPerWorker = 16;

Between between(const Job& job) {
  return job.self ? Between(job.a.frame()) : Between(job.a.frame(), job.b.frame());
}

}  // namespace

Counters Runner::run() {
  if (jobs_.empty()) return {};
  return with_blocks(jobs_[0].a.tree->directions().blocks(), [&](auto blocks) {
    const bool share = workers_ > 1 && !options_.rule.first &&
                       options_.traversal == Traversal::list &&
                       jobs_.size() < 4 * static_cast<std::size_t>(workers_);
    Counters cutting;
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      if (share) {
        cut<blocks>(job, cutting);
      } else {
        tasks_.push_back({job, true, {}});
      }
    }
    const auto one = [this, blocks](const Task& task, Ticker& ticker, int worker) {
      return execute<blocks>(task, ticker, worker);
    };
    return sum(cutting, run_tasks<Counters>(tasks_, is_brief(jobs_), workers_, tick_, one));
  });
}

// The upper levels, breadth first; what is then left to do are the tasks.
template <int kBlocks>
void Runner::cut(std::uint32_t job, Counters& counters) {
  const Between where = between(jobs_[job]);
  const Nodes<kBlocks> nodes(jobs_[job], where);
  Findings::Share& found = findings_[0];
  const std::size_t before = found.keys.size();
  LeafPairs leaves(jobs_[job], where.error, options_, found.keys, counters);
  ListTraversal<kBlocks> traversal(nodes, jobs_[job].self, leaves, counters);
  std::vector<Part> parts{traversal.start()}, below;
  std::size_t entries = 0;
  while (!parts.empty() && (entries < kEntriesToShare || parts.size() < kPartsPerWorker)) {
    below.clear();
    for (const Part& part : parts) traversal.expand(part, below);
    parts.swap(below);
    entries = 0;
    for (const Part& part : parts) entries += part.list.size() + (jobs_[job].self ? 1 : 0);
  }
  leaves.finish();
  found.close_run(job, before);
  for (Part& part : parts) tasks_.push_back({job, false, std::move(part)});
}

template <int kBlocks>
Counters Runner::execute(const Task& task, Ticker& ticker, int worker) {
  const Job& job = jobs_[task.job];
  const Between where = between(job);
  const Nodes<kBlocks> nodes(job, where);
  Findings::Share& found = findings_[worker];
  const std::size_t before = found.keys.size();
  Counters counters;
  LeafPairs leaves(job, where.error, options_, found.keys, counters);
  if (options_.traversal == Traversal::classic) {
    ClassicTraversal<kBlocks>(nodes, job.self, leaves, counters, {}, &ticker, worker).run();
  } else {
    ListTraversal<kBlocks> traversal(nodes, job.self, leaves, counters, {}, &ticker, worker);
    traversal.run(task.whole ? traversal.start() : task.part);
  }
  leaves.finish();
  found.close_run(task.job, before);
  return counters;
}

}  // namespace impinge::dop
