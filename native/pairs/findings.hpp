// What threads find, kept apart until all is found; then in an order that does not depend on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/buffer.hpp"
#include "pairs/pair_key.hpp"

namespace impinge {

class Findings {
 public:
  // Of one thread. A run holds the keys of one task.
  struct Share {
    struct Run {
      std::uint32_t job;
      std::size_t begin, end;
    };
    Buffer<Key> keys;
    Buffer<Key> spare;  // for sorting them
    std::vector<Run> runs;
    bool repeats = false;  // some keys may be there twice, here or in other shares

    // All keys since the one with this index are of a task of that job.
    void close_run(std::uint32_t job, std::size_t begin, bool has_repeats = false) {
      if (keys.size() > begin) runs.push_back({job, begin, keys.size()});
      repeats = repeats || has_repeats;
    }
  };

  // Memory of earlier findings is used again.
  explicit Findings(int workers);
  ~Findings();
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  Share& operator[](int worker) { return *shares_[static_cast<std::size_t>(worker)]; }

  // All keys, sorted, each once.
  Buffer<Key> together();
  // Those of each job, sorted, each once; `ends` is where they end.
  Buffer<Key> by_job(std::size_t jobs, std::vector<std::size_t>& ends);

 private:
  bool has_repeats() const;

  std::vector<std::unique_ptr<Share>> shares_;
};

// What a query gives; the counters are those of a detector.
template <class Counters>
struct Found {
  Buffer<Key> keys;                   // sorted within each run
  std::vector<std::size_t> run_ends;  // one run per pose; a scene is one run
  Counters counters;
  std::uint64_t body_pairs = 0;  // that passed the broad phase
  double broad_seconds = 0, traverse_seconds = 0, sort_seconds = 0;
};

}  // namespace impinge
