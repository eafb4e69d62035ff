// Many jobs on many threads, and their results in an order that does not depend on them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bvh/collide.hpp"
#include "bvh/pairing.hpp"

namespace impinge {

class Runner {
 public:
  Runner(std::vector<Job> jobs, const Options& options, int workers, const Ticker::Callback& tick);
  ~Runner();

  void run();

  // One run with the pairs of all jobs.
  void gather_together(Found& found);
  // A run for each job.
  void gather_by_job(Found& found);

 private:
  enum class Work { descend, stars, irregular };

  struct Task {
    std::uint32_t job;
    Work work;
    Levels levels;
    std::size_t begin, end;  // of the shared front, the star blocks or the irregular vertices
  };

  void plan();
  void slice_front(std::uint32_t job);
  void cut(std::uint32_t job, Work work, Levels levels, std::size_t begin, std::size_t end,
           std::size_t step);
  void execute(const Task& task, Output& output, Ticker& ticker, int worker);

  const std::vector<Job> jobs_;
  const Options options_;
  const int workers_;
  const Ticker::Callback& tick_;
  std::vector<Task> tasks_;
  Buffer<Item> front_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace impinge
