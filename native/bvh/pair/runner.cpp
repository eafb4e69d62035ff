#include "bvh/pair/runner.hpp"

#include <algorithm>

#include "pairs/run.hpp"

namespace impinge::bvh {
namespace {

// A front this long is cut into many slices, for balance and for progress.
constexpr std::size_t kFrontToSlice = 2048;
// One that is shorter above the leaves is cut into few, since each slice maps its leaves anew.
constexpr std::size_t kFrontToShare = 48;
// So many pairs of leaves, of all jobs, are done by the caller before any thread is asked to help.
constexpr std::size_t kLeafPairsAtOnce = 256;
constexpr std::size_t kStarBlocksPerTask = 512;
constexpr std::size_t kIrregularPerTask = 64;
constexpr std::size_t kCellsPerWorker = 8;

}  // namespace

Counters Runner::run() {
  const Counters planning = plan();
  const auto one = [this](const Task& task, Ticker& ticker, int worker) {
    return execute(task, ticker, worker);
  };
  const Counters descending = run_tasks<Counters>(tasks_, is_brief(jobs_), workers_, tick_, one);
  const Counters done = sum(planning, descending);
  return set_aside_.empty() ? done : sum(done, join());
}

// Many jobs: one task each. Few: their fronts are expanded here and cut into slices.
Counters Runner::plan() {
  Counters counters;
  const bool slice = !rule_.first && jobs_.size() < 8 * static_cast<std::size_t>(workers_);
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto job = static_cast<std::uint32_t>(i);
    if (slice) {
      counters = sum(counters, slice_front(job, counters.leaf_pairs));
    } else {
      tasks_.push_back({job, Work::descend, {0, 0}, 0, 0, 1});
    }
    if (!jobs_[i].self || rule_.first) continue;
    const Stars& stars = jobs_[i].a.prepared->stars();
    cut(job, Work::stars, {0, 0}, 0, stars.blocks.size(), kStarBlocksPerTask);
    cut(job, Work::irregular, {0, 0}, 0, stars.irregular.size(), kIrregularPerTask);
  }
  return counters;
}

Counters Runner::slice_front(std::uint32_t job, std::size_t leaf_pairs_done) {
  Findings::Share& found = findings_[0];
  const std::size_t before = found.keys.size();
  Pairing pairing(jobs_[job], rule_, found.keys);
  Buffer<Item>&front = scratch_->front(0), &next = scratch_->front(1);
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
  if (levels.done() && leaf_pairs_done + front.size() <= kLeafPairsAtOnce) {
    pairing.descend(levels, front.data(), front.size());
    found.close_run(job, before);
    set_aside(job, pairing.set_aside());
    return pairing.counters();
  }
  const std::size_t begin = front_.size();
  std::copy_n(front.data(), front.size(), front_.grow(front.size()));
  front_.advance(front.size());
  const std::size_t slices = front.size() >= kFrontToSlice ? 8 * workers_
                             : shared()                    ? 2 * workers_
                                                           : 1;
  cut(job, Work::descend, levels, begin, front_.size(), front.size() / slices + 16);
  return pairing.counters();
}

void Runner::cut(std::uint32_t job, Work work, Levels levels, std::size_t begin, std::size_t end,
                 std::size_t step) {
  const std::size_t shares = (end - begin + step - 1) / step;
  for (; begin < end; begin += step) {
    tasks_.push_back({job, work, levels, begin, std::min(end, begin + step), shares});
  }
}

Counters Runner::execute(const Task& task, Ticker& ticker, int worker) {
  Findings::Share& found = findings_[worker];
  const std::size_t before = found.keys.size();
  Pairing pairing(jobs_[task.job], rule_, found.keys, &ticker, worker, task.shares);
  if (rule_.first) {
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
  found.close_run(task.job, before);
  set_aside(task.job, pairing.set_aside());
  return pairing.counters();
}

void Runner::set_aside(std::uint32_t job, const SetAside& leaves) {
  if (leaves.empty()) return;
  const std::lock_guard lock(mutex_);
  set_aside_[job].add(leaves);
}

// What was set aside, job by job; a pair may have been found already.
Counters Runner::join() {
  Counters total;
  Rule unlimited = rule_;
  unlimited.most = Rule().most;
  for (const auto& [job, leaves] : set_aside_) {
    const JobJoin rest(jobs_[job], leaves, rule_.margin);
    total.joined += rest.size();
    const auto one = [&, job = job](const JoinCell& cell, Ticker& ticker, int worker) {
      Findings::Share& found = findings_[worker];
      const std::size_t before = found.keys.size();
      Pairing pairing(jobs_[job], unlimited, found.keys, &ticker, worker);
      pairing.join(rest, cell, rule_.most);
      found.close_run(job, before, true);
      return pairing.counters();
    };
    const std::vector<JoinCell> cells = rest.cells(kCellsPerWorker * workers_);
    total = sum(total, run_tasks<Counters>(cells, false, workers_, tick_, one));
  }
  return total;
}

}  // namespace impinge::bvh
