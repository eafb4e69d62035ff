#include "bvh/ray/frame_ray.hpp"

#include <cmath>

namespace impinge::bvh {
namespace {

// Beyond this loss the float frame tells nothing.
constexpr double kBlind = 1e-3;
// A component below moves the ray by less than 1e-11 within the mesh: its slab is passed at once.
constexpr double kParallel = 1e-12;
constexpr double kFastest = 1e300;

double larger(double x, double y) { return x > y ? x : y; }

}  // namespace

// Loops over lanes are without branches: compilers turn them into vectors.
template <int kRays>
void FrameRays<kRays>::place(const Ray* rays, int n, const Frame& frame) {
  const int z = rays->axis;
  axis[0] = z == 2 ? 0 : z + 1;
  axis[1] = z == 0 ? 2 : z - 1;
  axis[2] = z;
  sign = rays->direction[z] < 0 ? -1.0f : 1.0f;
  Block blocks[kRays / kBlock];
  double farthest = 1;
  all_ready_ = true;
  for (int i = 0; i < n; i += kBlock) {
    Block& block = blocks[i / kBlock];
    bring(rays, frame, i, block);
    double reach = 0, pace = 0;
    for (int k = 0; k < kBlock; ++k) {
      reach = larger(reach, block.distance[k]);
      pace = larger(pace, pace_[i + k]);
    }
    if (reach <= 1 && pace < kFastest) continue;
    for (int k = 0; k < kBlock; ++k) {
      bring_near(i + k, k, block);
      const bool ready = state_[i + k] == RayState::ready;
      all_ready_ = all_ready_ && ready;
      if (ready) farthest = larger(farthest, block.distance[k]);
    }
  }
  const double moved = kFarError * farthest, depth = kDepthError * (farthest + 2) + 2 * moved;
  depth_error = static_cast<float>(1.01 * depth);
  slack_ = kSlabError + depth;
  side_bound = SideBound(1.01 * (kShearError + 2 * moved));
  plane_error = static_cast<float>(1.01 * (kPlaneError + 4 * moved));
  for (int i = 0; i < n; i += kBlock) set(i, blocks[i / kBlock], kSlabError + moved);
}

template <int kRays>
void FrameRays<kRays>::bring(const Ray* rays, const Frame& frame, int first, Block& block) {
  Block b;  // that nothing else can point to
  for (int i = 0; i < kBlock; ++i) {
    for (int k = 0; k < 3; ++k) {
      b.o[k][i] = rays[first + i].origin[k];
      b.d[k][i] = rays[first + i].direction[k];
    }
  }
  const Frame to = frame;
  double pace[kBlock];
  for (int i = 0; i < kBlock; ++i) {
    const double largest =
        larger(larger(std::abs(b.d[0][i]), std::abs(b.d[1][i])), std::abs(b.d[2][i]));
    const double shrink = 1 / largest;
    for (int k = 0; k < 3; ++k) {
      b.o[k][i] = (b.o[k][i] - to.centre[k]) * to.scale;
      b.d[k][i] *= shrink;
    }
    b.distance[i] = larger(larger(std::abs(b.o[0][i]), std::abs(b.o[1][i])), std::abs(b.o[2][i]));
    pace[i] = largest * to.scale;
  }
  for (int i = 0; i < kBlock; ++i) {
    pace_[first + i] = pace[i];
    start_[first + i] = 0;
    state_[first + i] = RayState::ready;
  }
  block = b;
}

// Moves a far start to the point of the line nearest to the centre of the mesh.
template <int kRays>
void FrameRays<kRays>::bring_near(int i, int lane, Block& block) {
  const double distance = block.distance[lane], moved = kFarError * distance;
  if (!(moved < kBlind && pace_[i] < kFastest)) {
    state_[i] = RayState::blind;
    return;
  }
  if (distance <= 1) return;
  double square = 0, along = 0, left = 0;
  for (int k = 0; k < 3; ++k) {
    square += block.d[k][lane] * block.d[k][lane];
    along += block.o[k][lane] * block.d[k][lane];
  }
  start_[i] = -along / square;
  for (int k = 0; k < 3; ++k) {
    block.o[k][lane] += start_[i] * block.d[k][lane];
    left += block.o[k][lane] * block.o[k][lane];
  }
  if (left > 4 && std::sqrt(left) > 2 + moved) state_[i] = RayState::misses;
}

template <int kRays>
void FrameRays<kRays>::set(int first, const Block& block, double slack) {
  float o[3][kBlock], d[3][kBlock];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBlock; ++i) {
      const double x = block.d[k][i], at = block.o[k][i];
      const double along = std::abs(x) < kParallel ? std::copysign(kParallel, x) : x;
      const double aside = std::copysign(slack, along);
      const float inverted = 1 / static_cast<float>(along);
      inverse[k][first + i] = inverted;
      near_shift[k][first + i] = static_cast<float>(at + aside) * inverted;
      far_shift[k][first + i] = static_cast<float>(at - aside) * inverted;
      o[k][i] = static_cast<float>(at);
      d[k][i] = static_cast<float>(x);
    }
  }
  for (int i = 0; i < kBlock; ++i) {
    for (int k = 0; k < 3; ++k) origin[k][first + i] = o[axis[k]][i];
    for (int k = 0; k < 2; ++k) shear[k][first + i] = d[axis[k]][i] * -sign;
  }
}

template <int kRays>
void FrameRays<kRays>::limit(const Ray* rays, int n, double t_min, double t_max) {
  for (int first = 0; first < n; first += kBlock) {
    double units[kBlock];
    for (int i = 0; i < kBlock; ++i) units[i] = rays[first + i].unit;
    for (int i = 0; i < kBlock; ++i) {
      const double least = clamped(first + i, t_min / units[i]);
      const double most = clamped(first + i, t_max / units[i]);
      begin[first + i] = static_cast<float>(least - slack_);
      sure_begin[first + i] = static_cast<float>(least + slack_);
      end[first + i] = static_cast<float>(most + slack_);
    }
  }
}

template struct FrameRays<1>;
template struct FrameRays<kPacketRays>;

}  // namespace impinge::bvh
