// From pairs of leaves to candidates, or to pairs by the kernels of the paper.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "base/buffer.hpp"
#include "dop/job.hpp"
#include "pairs/judge.hpp"

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

// The faces of the two trees of a job.
struct FacesOfTrees {
  const Job& job;

  Triangle triangle_a(std::uint32_t face) const { return job.a.world(face); }
  Triangle triangle_b(std::uint32_t face) const { return job.b.world(face); }
  std::uint32_t id_a(std::uint32_t face) const { return job.offset_a + face; }
  std::uint32_t id_b(std::uint32_t face) const { return job.offset_b + face; }
  bool same_body(std::uint32_t, std::uint32_t) const { return job.self; }
};

// The exact kernel hands pairs whose boxes overlap to the judge. The kernels of the paper map one
// triangle by the matrix of the other and test its edges, then the other way round. Belongs to one
// thread; keys are appended.
class LeafPairs {
 public:
  // `error` as in the float filter.
  LeafPairs(const Job& job, float error, const Options& options, Buffer<Key>& keys,
            Counters& counters);

  // An aligned leaf and a tumbled one.
  template <int kBlocks>
  void add(const Node<kBlocks>& aligned, const Corners& tumbled, std::uint32_t face_tumbled) {
    ++counters_.leaf_pairs;
    if (is_exact() && bits(tumbled.begin > Float8::load(aligned.data)) != 0) return;
    add_near(aligned.corners(), aligned.face(), tumbled, face_tumbled);
  }
  // Decides what has been collected.
  void finish();
  // Whether one pair is enough and there is one.
  bool satisfied();

 private:
  bool is_exact() const { return options_.kernel == Kernel::exact; }
  void add_near(const float* aligned, std::uint32_t face_aligned, const Corners& tumbled,
                std::uint32_t face_tumbled);
  bool share_corners(std::uint32_t a, std::uint32_t b) const;
  void judge_neighbours(std::uint32_t a, std::uint32_t b);
  void judge_by_maps(std::uint32_t a, std::uint32_t b);

  const Job& job_;
  const float error_;
  const Options& options_;
  Buffer<Key>& keys_;
  const std::size_t before_;  // keys of others
  Counters& counters_;
  LocalMap to_tumbled_, to_aligned_;  // for the kernels of the paper
  std::unique_ptr<Batch> batch_;      // of the exact kernel
  const FacesOfTrees faces_;
  Judge<FacesOfTrees> judge_;
};

}  // namespace impinge::dop
