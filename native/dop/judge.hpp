// From pairs of leaves to colliding triangles, by the chosen kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "bvh/buffer.hpp"
#include "bvh/filter.hpp"
#include "bvh/narrow.hpp"
#include "dop/job.hpp"

namespace impinge::dop {

// A triangle of the tumbled tree in the aligned frame, and where its box begins along the axes and
// against them. The last two lanes are apart from nothing.
struct Corners {
  Float8 begin;
  float at[9];

  void measure(float margin) {
    alignas(32) float sides[kLanes];
    for (int k = 0; k < 3; ++k) {
      sides[k] = std::min({at[k], at[3 + k], at[6 + k]}) - margin;
      sides[3 + k] = -(std::max({at[k], at[3 + k], at[6 + k]}) + margin);
    }
    sides[6] = sides[7] = -std::numeric_limits<float>::infinity();
    begin = Float8::load(sides);
  }
};

// From the local coordinates of one body to those of the other, in float64.
struct LocalMap {
  double m[3][4];
  bool identity, regular;

  LocalMap() {}
  LocalMap(const Pose& from, const Pose& to);
  Triangle operator()(const Triangle& t) const;
};

// Judges the pairs of one job. Belongs to one thread.
//
// The exact kernel collects pairs whose boxes overlap and decides most of them in float, eight at a
// time, by the filter of the box tree. The kernels of the paper map one triangle by the matrix of
// the other and test its edges, then the other way round.
class Judge {
 public:
  // `error` as in the float filter.
  Judge(const Job& job, float error, const Options& options, Counters& counters);

  // An aligned leaf and a tumbled one.
  template <int kBlocks>
  void add(const Node<kBlocks>& aligned, const Corners& tumbled, std::uint32_t face_tumbled) {
    ++counters_.leaf_pairs;
    if (batch_ && bits(tumbled.begin > Float8::load(aligned.data)) != 0) return;
    add_near(aligned.corners(), aligned.face(), tumbled, face_tumbled);
  }
  // Decides what has been collected.
  void drain();
  // Whether one pair is enough and there is one.
  bool satisfied() {
    if (options_.first) drain();
    return has_enough();
  }
  const Buffer<Key>& keys() const { return keys_; }

 private:
  bool has_enough() const { return options_.first && !keys_.empty(); }
  bool share_corners(std::uint32_t a, std::uint32_t b) const;
  void add_near(const float* aligned, std::uint32_t face_aligned, const Corners& tumbled,
                std::uint32_t face_tumbled);
  void drop_parted();
  void judge_neighbours(std::uint32_t a, std::uint32_t b);
  void judge_by_maps(std::uint32_t a, std::uint32_t b);
  void decide(std::uint32_t a, std::uint32_t b);
  void report(std::uint32_t a, std::uint32_t b, Kind kind);

  const Job& job_;
  const float error_;
  const Options& options_;
  Counters& counters_;
  LocalMap to_tumbled_, to_aligned_;  // for the kernels of the paper
  std::unique_ptr<Batch> batch_;      // of the exact kernel
  Buffer<Key> keys_;
};

}  // namespace impinge::dop
