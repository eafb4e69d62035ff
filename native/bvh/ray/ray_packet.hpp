// Rays that go through a tree together, and the best hit of each so far.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "bvh/ray/frame_ray.hpp"
#include "bvh/ray/ray_boxes.hpp"
#include "bvh/ray/ray_hits.hpp"
#include "bvh/ray/raycast.hpp"

namespace impinge::bvh {

// Where hits go: the best of each ray by its id, or all of them in a list.
struct RaySink {
  RayHits* best;
  Buffer<Hit>* all;
};

template <RayMode kMode>
struct RayPacket {
  RayPacket(const Tree& in, RayLimits within, RaySink to) : tree(in), limits(within), sink(to) {}

  void add(int i, std::int32_t id, const double* origin, const double* direction, int axis) {
    ray[i].set(origin, direction, axis);
    best[i] = {id, -1, limits.t_max};
  }
  // Once n are added: which of them have to go through the tree.
  std::uint32_t start(int n);
  // The corners of a triangle.
  struct Corners {
    const double *a, *b, *c;
  };
  Corners corners(std::size_t leaf, int lane) const {
    const Corners8& ids = tree.corners(leaf);
    return {tree.vertex(ids.id[0][lane]), tree.vertex(ids.id[1][lane]),
            tree.vertex(ids.id[2][lane])};
  }
  // The exact test of one triangle; true for a hit that is the best so far.
  bool test(int i, std::size_t slot, const Corners& at, int facing);

  void set_end(int i, float end) {
    frame.end[i] = end;
    length[i] = end - begin;
  }

  const Tree& tree;
  const RayLimits limits;
  const RaySink sink;

  float begin = 0;                        // the first of all
  alignas(32) float length[kPacketRays];  // from there to the end of each
  PassedSides sides;
  FrameRays<kPacketRays> frame;
  Ray ray[kPacketRays];
  Hit best[kPacketRays];

 private:
  void test_all(int i);
};

template <RayMode kMode>
inline bool RayPacket<kMode>::test(int i, std::size_t slot, const Corners& at, int facing) {
  const auto [a, b, c] = at;
  double t;
  if (facing != 0) {
    t = inner_depth(ray[i], a, b, c, facing);
  } else if (!pierces(ray[i], a, b, c, t)) {
    return false;
  }
  t *= ray[i].unit;
  if (!(limits.t_min <= t && t <= limits.t_max)) return false;
  const std::int32_t face = tree.face_of(slot);
  Hit& found = best[i];
  if (kMode == RayMode::all) {
    sink.all->push({found.ray, face, t});
    return false;
  }
  const bool better = found.face < 0 || t < found.t || (t == found.t && face < found.face);
  if (better) found = {found.ray, face, t};
  return kMode == RayMode::any || better;
}

}  // namespace impinge::bvh
