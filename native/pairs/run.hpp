// The tasks of a query on many threads, and what they found brought together.
#pragma once

#include <cstddef>
#include <vector>

#include "base/pool.hpp"
#include "base/stopwatch.hpp"
#include "base/sum.hpp"
#include "base/ticker.hpp"
#include "pairs/findings.hpp"

namespace impinge {

// Seconds that another thread needs to wake up, and costs the caller.
constexpr double kSecondsToWake = 20e-6;

// Calls execute(task, ticker, worker) for each task and sums up the counters it gives. What seems
// `brief` is begun alone, and shared when it turns out not to be.
template <class Counters, class Task, class Execute>
Counters run_tasks(const std::vector<Task>& tasks, bool brief, int workers,
                   const Ticker::Callback& tick, const Execute& execute) {
  std::vector<Counters> each(static_cast<std::size_t>(workers));
  Ticker ticker(tasks.size(), tick);
  const auto run = [&](std::size_t i, int worker) {
    Counters& own = each[static_cast<std::size_t>(worker)];
    own = sum(own, execute(tasks[i], ticker, worker));
    ticker.done(worker);
  };
  std::size_t begun = 0;
  Stopwatch watch;
  for (double spent = 0; brief && begun < tasks.size() && spent < kSecondsToWake; ++begun) {
    run(begun, 0);
    spent += watch.lap();
  }
  const std::size_t left = tasks.size() - begun;
  parallel_for(workers, left, 1, [&](std::size_t i, std::size_t end, int worker) {
    for (; i < end; ++i) run(begun + i, worker);
  });
  Counters total;
  for (const Counters& own : each) total = sum(total, own);
  return total;
}

// Runs the jobs of a scene, whose pairs are one run, or those of `poses`, with a run for each.
template <class Runner, class Counters>
void run_scene(Runner& runner, Stopwatch& watch, Found<Counters>& found) {
  found.broad_seconds = watch.lap();
  found.counters = sum(found.counters, runner.run());
  found.traverse_seconds = watch.lap();
  found.keys = runner.findings().together();
  found.run_ends = {found.keys.size()};
  found.sort_seconds = watch.lap();
}

template <class Runner, class Counters>
void run_poses(Runner& runner, std::size_t jobs, std::size_t poses, Stopwatch& watch,
               Found<Counters>& found) {
  found.body_pairs = poses;
  found.counters = runner.run();
  found.traverse_seconds = watch.lap();
  found.keys = runner.findings().by_job(jobs, found.run_ends);
  found.run_ends.resize(poses, 0);
  found.sort_seconds = watch.lap();
}

}  // namespace impinge
