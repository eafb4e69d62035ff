// From overlapping leaves to colliding triangles: boxes of single triangles, the float filter,
// the exact test.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "bvh/buffer.hpp"
#include "bvh/filter.hpp"
#include "bvh/front.hpp"
#include "bvh/pair_key.hpp"
#include "bvh/placement.hpp"
#include "bvh/sheets.hpp"
#include "geometry/triangles.hpp"

namespace impinge {

struct Options {
  bool touching = true;            // report pairs that only touch
  bool report_duplicates = false;  // and faces of one body with the same three vertices
  bool first = false;              // stop at the first pair of two bodies
};

struct Counters {
  std::uint64_t node_pairs = 0, leaf_pairs = 0, candidates = 0, undecided = 0, hits = 0;
  std::uint64_t clear_sheets = 0, stars = 0, stars_open = 0, star_tests = 0;

  void add(const Counters& other);
};

// Two placed trees, or one against itself. Ids of faces in keys start at the given offsets.
struct Job {
  Placed a, b;
  std::uint32_t offset_a = 0, offset_b = 0;
  bool self = false;
  const ClearSheets* clear = nullptr;  // of a tree against itself
};

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

// Tests leaf pairs of one job. Belongs to one thread; results are appended to `keys`.
class Narrow {
 public:
  Narrow(const Job& job, const Mutual* mutual, float error, const Options& options, Batch& batch,
         Buffer<Key>& keys, Counters& counters)
      : job_(job),
        mutual_(mutual),
        error_(error),
        options_(options),
        batch_(batch),
        keys_(keys),
        counters_(counters) {}

  void leaves(const Item* items, std::size_t n);
  // Exact test of two triangles by slot.
  void decide(std::uint32_t slot_a, std::uint32_t slot_b);

 private:
  void self_leaves(const Item* items, std::size_t n);
  void pair_leaves(const Item* items, std::size_t n);
  void enqueue(const Leaf& a, const Leaf& b, Item item, LanePairs& pairs);
  void drain();
  void report(std::uint32_t slot_a, std::uint32_t slot_b, Kind kind);

  const Job& job_;
  const Mutual* mutual_;  // of two trees
  const float error_;
  const Options& options_;
  Batch& batch_;
  Buffer<Key>& keys_;
  Counters& counters_;
};

}  // namespace impinge
