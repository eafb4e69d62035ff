// Rays that go through a tree together, and the best hit of each so far.
#pragma once

#include <cstdint>

#include "bvh/buffer.hpp"
#include "bvh/frame_ray.hpp"
#include "bvh/ray_hits.hpp"
#include "bvh/raycast.hpp"

namespace impinge {

// Where hits go: the best of each ray by its id, or all of them in a list.
struct RaySink {
  std::int32_t* face;
  double* t;
  Buffer<Hit>* all;
};

template <RayMode kMode>
struct RayPacket {
  static constexpr int kWords = 4, kRays = kWords * kLanes;  // a bit for each ray in a mask

  RayPacket(const Tree& in, RayLimits within, RaySink to) : tree(in), limits(within), sink(to) {}

  // One when the ray has to go through the tree.
  std::uint32_t place(int i, std::int32_t id, const double* origin, const double* direction);
  // Once all are placed: those of the mask go.
  void start(std::uint32_t rays);
  // The exact test of one triangle; true for a hit that is the best so far.
  bool test(int i, std::size_t leaf, int lane, int facing);

  void set_end(int i, float end) {
    frame[i].end = end;
    length[i] = end - begin;
  }

  const Tree& tree;
  const RayLimits limits;
  const RaySink sink;

  float begin = 0;                  // the first of all
  float error = 0;                  // the largest of all
  alignas(32) float length[kRays];  // from there to the end of each
  Ray ray[kRays];
  FrameRay frame[kRays];
  Hit best[kRays];
};

}  // namespace impinge
