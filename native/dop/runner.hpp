// Many jobs on many threads.
#pragma once

#include <cstdint>
#include <vector>

#include "bvh/narrow.hpp"
#include "dop/job.hpp"
#include "dop/list.hpp"
#include "parallel/ticker.hpp"

namespace impinge::dop {

class Runner {
 public:
  Runner(const std::vector<Job>& jobs, const Options& options, int workers,
         const Ticker::Callback& tick);

  void run();

  // What was found, job by job, in runs of one job each or in a single one; not sorted.
  void gather(std::vector<Key>& keys, std::vector<std::size_t>& run_ends, bool together) const;
  const Counters& counters() const { return counters_; }

 private:
  // A whole job, or one part of its traversal.
  struct Task {
    std::uint32_t job;
    bool whole;
    Part part;
  };
  struct Result {
    std::uint32_t job = 0;
    std::vector<Key> keys;
    Counters counters;
  };

  void plan();
  template <int kBlocks>
  void cut(std::uint32_t job);
  template <int kBlocks>
  void execute(const Task& task, Result& result, Ticker& ticker, int worker) const;

  const std::vector<Job>& jobs_;
  const Options options_;
  const int workers_;
  const Ticker::Callback& tick_;
  std::vector<Task> tasks_;
  std::vector<Result> results_;  // of the cutting, then of the tasks
  Counters counters_;
};

}  // namespace impinge::dop
