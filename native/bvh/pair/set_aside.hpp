// Pairs of nodes whose boxes tell too little, left to a spatial join of all triangles below them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/pair/leaf_pairs.hpp"
#include "bvh/pair/spatial_join.hpp"

namespace impinge::bvh {

// Says when descending boxes leads nowhere: when it took so much more work than there are triangles
// and hits that cutting space is quicker, or not much slower.
class Patience {
 public:
  static std::size_t& work_per_face() {
    static std::size_t of_all_queries = 128;
    return of_all_queries;
  }

  // `shares`: in how many tasks the job is cut.
  Patience(const Job& job, std::size_t shares)
      : most_(work_per_face() * (job.a.tree->face_count() + job.b.tree->face_count()) / shares) {}

  bool is_over(const Counters& done, std::size_t hits) const {
    const std::uint64_t work = done.candidates + kLanes * (done.leaf_pairs + done.node_pairs);
    return work > most_ + kWorkPerHit * hits;
  }

 private:
  static constexpr std::uint64_t kWorkPerHit = 64;
  std::uint64_t most_;
};

// Which leaves of the trees of a job are set aside.
class SetAside {
 public:
  bool empty() const { return a_.empty(); }
  void add(const Job& job, Levels levels, const Item* items, std::size_t n);
  void add(const SetAside& more);

  const std::vector<bool>& a() const { return a_; }
  const std::vector<bool>& b() const { return b_; }

 private:
  std::vector<bool> a_, b_;  // a bit for each leaf; of one body only a
};

// The triangles that a job has set aside, ready to be joined. Any number of threads may ask.
class JobJoin {
 public:
  JobJoin(const Job& job, const SetAside& leaves, double margin);

  std::size_t size() const { return a_.slots.size() + b_.slots.size(); }
  std::vector<JoinCell> cells(std::size_t wanted) const { return join_.cells(wanted); }
  // Hands the candidates of a cell to the judge, some of them more than once.
  void run(const JoinCell& cell, LeafPairs& leaves, const SpatialJoin::GoOn& go_on) const;

 private:
  struct Side : JoinSide {
    std::vector<std::uint32_t> slots;

    Side() = default;
    Side(const Body& body, const std::vector<bool>& leaves, const Frame& frame, bool with_corners);
  };
  const Side& side_b() const { return self_ ? a_ : b_; }

  const bool self_;
  const Frame frame_;
  const Side a_, b_;  // of one body only a
  const SpatialJoin join_;
};

}  // namespace impinge::bvh
