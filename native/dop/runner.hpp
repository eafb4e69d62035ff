// Many jobs on many threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "dop/job.hpp"
#include "dop/list.hpp"
#include "pairs/findings.hpp"

namespace impinge::dop {

class Runner {
 public:
  Runner(const std::vector<Job>& jobs, const Options& options, int workers,
         const Ticker::Callback& tick)
      : jobs_(jobs), options_(options), workers_(workers), tick_(tick), findings_(workers) {}

  Counters run();
  Findings& findings() { return findings_; }

 private:
  // A whole job, or one part of its traversal.
  struct Task {
    std::uint32_t job;
    bool whole;
    Part part;
  };

  template <int kBlocks>
  void cut(std::uint32_t job, Counters& counters);
  template <int kBlocks>
  Counters execute(const Task& task, Ticker& ticker, int worker);

  const std::vector<Job>& jobs_;
  const Options options_;
  const int workers_;
  const Ticker::Callback& tick_;
  std::vector<Task> tasks_;
  Findings findings_;
};

}  // namespace impinge::dop
