// From pairs of leaves to colliding triangles, by the chosen kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "bvh/buffer.hpp"
#include "bvh/filter.hpp"
#include "bvh/narrow.hpp"
#include "dop/job.hpp"

namespace impinge::dop {

// A triangle of the tumbled tree in the aligned frame, and its box.
struct Corners {
  float at[9];
  float lo[3], hi[3];

  void measure() {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min({at[k], at[3 + k], at[6 + k]});
      hi[k] = std::max({at[k], at[3 + k], at[6 + k]});
    }
  }
};

// From the local coordinates of one body to those of the other, in float64.
struct LocalMap {
  double m[3][4];
  bool identity, regular;

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

  // Corners in the aligned frame.
  void add(const float* aligned, std::uint32_t face_aligned, const Corners& tumbled,
           std::uint32_t face_tumbled);
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
  bool boxes_apart(const float* aligned, const Corners& tumbled) const;
  void drop_parted();
  void judge_neighbours(std::uint32_t a, std::uint32_t b);
  void judge_by_maps(std::uint32_t a, std::uint32_t b);
  void decide(std::uint32_t a, std::uint32_t b);
  void report(std::uint32_t a, std::uint32_t b, Kind kind);

  const Job& job_;
  const float error_, margin_;
  const Options& options_;
  Counters& counters_;
  const LocalMap to_tumbled_, to_aligned_;
  std::unique_ptr<Batch> batch_;
  Buffer<Key> keys_;
};

}  // namespace impinge::dop
