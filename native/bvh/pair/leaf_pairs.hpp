// From overlapping leaves to candidates: boxes of single triangles, slabs, common corners.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "boxes/front.hpp"
#include "bvh/pair/prepared_tree.hpp"
#include "bvh/pair/tree_to_tree.hpp"
#include "pairs/jobs.hpp"
#include "pairs/judge.hpp"

namespace impinge::bvh {

using Job = impinge::Job<Body>;

struct Counters : Tally {
  std::uint64_t node_pairs = 0, leaf_pairs = 0, clear_sheets = 0, stars = 0, stars_open = 0;
  std::uint64_t joined = 0;  // triangles left to a spatial join
};

// The slots of the two trees of a job.
struct SlotsOfTrees {
  const Job& job;

  Triangle triangle_a(std::uint32_t slot) const { return job.a.triangle(slot); }
  Triangle triangle_b(std::uint32_t slot) const { return job.b.triangle(slot); }
  std::uint32_t id_a(std::uint32_t slot) const { return job.offset_a + job.a.tree->face_of(slot); }
  std::uint32_t id_b(std::uint32_t slot) const { return job.offset_b + job.b.tree->face_of(slot); }
  bool same_body(std::uint32_t, std::uint32_t) const { return job.self; }
};

// What boxes of a body grow by before they are compared with others of it: floats of a tree at rest
// are rounded monotonically, so that boxes of triangles that meet do meet.
inline float self_margin(const Job& job, float error, float reach) {
  return job.is_at_rest() && reach == 0 ? 0.0f : 2 * error + reach;
}

// Pairs of lanes of two leaves, row by row: 8r + c stands for lane r of a with lane c of b.
struct LanePairs {
  std::uint8_t at[kLanes * kLanes + kLanes];
  int size = 0;

  void add(int row, unsigned columns) {
    std::uint64_t packed;
    std::memcpy(&packed, kPacked[columns].data(), sizeof packed);
    packed += static_cast<std::uint64_t>(row) * 0x0808080808080808u;
    std::memcpy(at + size, &packed, sizeof packed);
    size += std::popcount(columns);
  }
  // Whole eights are read.
  void close() { std::memset(at + size, 0, kLanes); }
};

// Hands the candidates of leaf pairs of one job to its judge. Belongs to one thread.
class LeafPairs {
 public:
  // `error` and `reach` as for the judge.
  LeafPairs(const Job& job, const TreeToTree* map, float error, float reach, Batch& batch,
            Judge<SlotsOfTrees>& judge)
      : job_(job), map_(map), error_(error), reach_(reach), batch_(batch), judge_(judge) {}

  void judge(const Item* items, std::size_t n);

  // Pairs of slots instead of leaves, quickest where neighbours share a leaf of b.
  void judge_triangles(std::span<const Item> slots);

 private:
  void collect_self(const Item* items, std::size_t n);
  void collect_pairs(const Item* items, std::size_t n);
  void enqueue(const Leaf& a, const Leaf& b, Item item, LanePairs& pairs);
  void enqueue(const Leaf& a, const Leaf& b, Item slots);

  const Job& job_;
  const TreeToTree* map_;  // of two trees
  const float error_, reach_;
  Batch& batch_;
  Judge<SlotsOfTrees>& judge_;
};

}  // namespace impinge::bvh
