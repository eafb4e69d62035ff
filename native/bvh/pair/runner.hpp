// Many jobs on many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/ticker.hpp"
#include "bvh/pair/pairing.hpp"
#include "pairs/findings.hpp"

namespace impinge::bvh {

class Runner {
 public:
  Runner(const std::vector<Job>& jobs, const Rule& rule, int workers, const Ticker::Callback& tick)
      : jobs_(jobs), rule_(rule), workers_(workers), tick_(tick), findings_(workers) {}

  Counters run();
  Findings& findings() { return findings_; }

 private:
  enum class Work { descend, stars, irregular };

  struct Task {
    std::uint32_t job;
    Work work;
    Levels levels;
    std::size_t begin, end;  // of the shared front, the star blocks or the irregular vertices
    std::size_t shares;      // in how many the front is cut
  };

  Counters plan();
  Counters slice_front(std::uint32_t job, std::size_t leaf_pairs_done);
  void cut(std::uint32_t job, Work work, Levels levels, std::size_t begin, std::size_t end,
           std::size_t step);
  Counters execute(const Task& task, Ticker& ticker, int worker);
  void set_aside(std::uint32_t job, const SetAside& leaves);
  Counters join();

  const std::vector<Job>& jobs_;
  const Rule rule_;
  const int workers_;
  const Ticker::Callback& tick_;
  std::vector<Task> tasks_;
  Buffer<Item> front_;
  std::mutex mutex_;
  std::map<std::uint32_t, SetAside> set_aside_;  // by job
  LentScratch scratch_;
  Findings findings_;
};

}  // namespace impinge::bvh
