#include "bvh/raycast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bvh/buffer.hpp"
#include "geometry/ray.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kChunk = 256;  // rays of one task
constexpr int kMostLevels = 12;

// Errors in the tree's frame, where |p| < 1 and the start of the ray is at most 2 from the centre,
// so that differences are below 3 and rounded by at most 1.2e-7.
//
// Of a slab: box 0.3e-7, start 0.6e-7, its product with the inverse 1.2e-7, the inverse 1.8e-7,
// product and sum 0.6e-7 + 1.8e-7; together 6.3e-7, as a shift of the slab.
constexpr double kSlabError = 1e-6;
// Of a sheared coordinate X = x - s z: point 0.3e-7 and start 0.6e-7 of both differences; and, in
// units of 2^-24, |x| for one, 2 |z| for the other and its turn by s, |z| for s, |z| for the
// product, |X| for the sum. As |x| <= |X| + |z| these are 5 |z| and 2 |X|, the latter left to the
// bound of the edges.
constexpr double kShearError = 2e-7;
constexpr float kShearSlope = 3.2e-7f;
// Of an edge function in units of its S^2: 2 * 2^-24 / 2 from above and 2^-24 * 3 / 8.
constexpr float kEdgeSlope = 1.2e-7f;
// Of the depth of a plane but for its edges: differences and sums of numbers below 3.
constexpr float kPlaneError = 2e-6f;
// Of a far start that is moved to the mesh, for each unit of its distance; some roundings of 2^-53.
constexpr double kFarError = 0x1p-48;
// Beyond this the float frame tells nothing: every triangle is tested.
constexpr double kBlind = 1e-3;
// A component below moves the ray by less than 1e-11 within the mesh: its slab is passed at once.
constexpr double kParallel = 1e-12;
// No part of the mesh is farther than this from the start along the ray.
constexpr double kReach = 8.0;

// A ray in the frame of the tree, in floats, its largest component made one.
struct FrameRay {
  bool blind = false, misses = false;
  double start = 0, pace = 1;  // position along it: t * pace - start
  float error = 0;             // of sheared coordinates at the start
  double slack = 0;            // of a position
  int axis[3];                 // the largest component is the last
  float origin[3], shear[2], sign;
  std::size_t near[3], far[3];  // where a node has the sides of boxes passed first and last
  float inverse[3], near_shift[3], far_shift[3];

  FrameRay(const Ray& ray, const Frame& frame);
  // Positions certainly before and behind t.
  float before(double t) const { return static_cast<float>(clamped(t) - slack); }
  float behind(double t) const { return static_cast<float>(clamped(t) + slack); }
  double clamped(double t) const { return std::clamp(t * pace - start, -kReach, kReach); }
};

FrameRay::FrameRay(const Ray& ray, const Frame& frame) {
  const double largest = std::abs(ray.direction[ray.axis]);
  pace = largest * frame.scale;
  double o[3], d[3], distance = 0, along = 0, square = 0;
  for (int k = 0; k < 3; ++k) {
    o[k] = (ray.origin[k] - frame.centre[k]) * frame.scale;
    d[k] = ray.direction[k] / largest;
    distance = std::max(distance, std::abs(o[k]));
    along += o[k] * d[k];
    square += d[k] * d[k];
  }
  const double moved = kFarError * distance;
  blind = !(moved < kBlind && pace < 1e300);
  if (blind) return;
  if (distance > 1) {
    // the point of the line nearest to the centre of the mesh
    start = -along / square;
    double left = 0;
    for (int k = 0; k < 3; ++k) {
      o[k] += start * d[k];
      left += o[k] * o[k];
    }
    if (left > 4) {
      misses = std::sqrt(left) > 2 + moved;
      if (misses) return;
    }
  }
  error = static_cast<float>(1.01 * (kShearError + 2 * moved));
  slack = kSlabError + 2 * moved;
  for (int k = 0; k < 3; ++k) {
    const double along_k = std::abs(d[k]) < kParallel ? std::copysign(kParallel, d[k]) : d[k];
    const double slack = std::copysign(kSlabError + moved, along_k);
    origin[k] = static_cast<float>(o[k]);
    const std::size_t low = kLanes * static_cast<std::size_t>(k), high = low + 3 * kLanes;
    near[k] = along_k < 0 ? high : low;
    far[k] = along_k < 0 ? low : high;
    inverse[k] = static_cast<float>(1 / along_k);
    near_shift[k] = static_cast<float>(o[k] + slack) * inverse[k];
    far_shift[k] = static_cast<float>(o[k] - slack) * inverse[k];
  }
  axis[2] = ray.axis;
  axis[0] = ray.axis == 2 ? 0 : ray.axis + 1;
  axis[1] = ray.axis == 0 ? 2 : ray.axis - 1;
  sign = d[ray.axis] < 0 ? -1.0f : 1.0f;
  shear[0] = static_cast<float>(d[axis[0]]);
  shear[1] = static_cast<float>(d[axis[1]]);
}

// A thing of the tree that the ray may enter: how far along, as the bits of a float that is not
// negative, above its level and index. Their order is the order of the visits.
using Entry = std::uint64_t;
constexpr int kItemBits = 27;
static_assert(kMostLevels < (1 << (32 - kItemBits)));

// Casts rays one by one; belongs to one thread.
template <RayMode kMode>
class Caster {
 public:
  Caster(const Tree& tree, RayLimits limits, Buffer<RayHit>& hits)
      : tree_(tree), limits_(limits), hits_(hits), top_(tree.boxes().top()) {
    for (int level = 1; level <= top_; ++level) nodes_[level] = &tree.boxes().node(level, 0);
  }

  void cast(std::int32_t id, const double* origin, const double* direction) {
    const Ray ray(origin, direction);
    const FrameRay frame_ray(ray, tree_.frame());
    if (frame_ray.misses) return;
    best_ = {id, -1, limits_.t_max};
    const std::size_t first = hits_.size();
    if (frame_ray.blind) {
      for (std::size_t slot = 0; slot < tree_.face_count(); ++slot) {
        if (test(ray, slot / kLanes, static_cast<int>(slot % kLanes))) break;
      }
    } else {
      traverse(ray, frame_ray);
    }
    if (kMode != RayMode::all) {
      if (best_.face >= 0) hits_.push(best_);
    } else {
      std::sort(hits_.data() + first, hits_.data() + hits_.size(),
                [](const RayHit& p, const RayHit& q) {
                  return p.t != q.t ? p.t < q.t : p.face < q.face;
                });
    }
  }

 private:
  void traverse(const Ray& ray, const FrameRay& r);
  bool leaf(const Ray& ray, const FrameRay& r, std::size_t index);
  bool test(const Ray& ray, std::size_t leaf, int lane);

  // What is farther than this cannot be a hit.
  float end(const Ray& ray, const FrameRay& r) const { return r.behind(best_.t / ray.unit); }

  const Tree& tree_;
  const RayLimits limits_;
  Buffer<RayHit>& hits_;
  const int top_;
  const Node* nodes_[kMostLevels + 1];
  RayHit best_{};
  float begin_ = 0, end_ = 0;
};

template <RayMode kMode>
void Caster<kMode>::traverse(const Ray& ray, const FrameRay& r) {
  begin_ = r.before(limits_.t_min / ray.unit);
  end_ = end(ray, r);
  const Float8 inverse[3] = {Float8(r.inverse[0]), Float8(r.inverse[1]), Float8(r.inverse[2])};
  const Float8 near_shift[3] = {Float8(r.near_shift[0]), Float8(r.near_shift[1]),
                                Float8(r.near_shift[2])};
  const Float8 far_shift[3] = {Float8(r.far_shift[0]), Float8(r.far_shift[1]),
                               Float8(r.far_shift[2])};
  const std::size_t near_row[3] = {r.near[0], r.near[1], r.near[2]};
  const std::size_t far_row[3] = {r.far[0], r.far[1], r.far[2]};
  const Float8 begin(begin_);
  Entry stack[kMostLevels * kLanes];
  int depth = 0;
  Entry here = Entry(top_) << kItemBits;
  while (true) {
    const std::uint32_t item = static_cast<std::uint32_t>(here);
    const std::uint32_t level = item >> kItemBits, index = item & ((1u << kItemBits) - 1);
    if (level == 0) {
      if (leaf(ray, r, index)) return;
    } else {
      const float* rows = nodes_[level][index].lo[0];
      Float8 enter = begin, leave(end_);
      for (int k = 0; k < 3; ++k) {
        const Float8 near = Float8::load(rows + near_row[k]);
        const Float8 far = Float8::load(rows + far_row[k]);
        enter = max(enter, mul_sub(near, inverse[k], near_shift[k]));
        leave = min(leave, mul_sub(far, inverse[k], far_shift[k]));
      }
      unsigned mask = bits(enter <= leave);
      if (mask) {
        alignas(32) std::uint32_t at[kLanes];
        store_bits(enter - begin, at);
        const std::uint32_t children = (level - 1) << kItemBits | index * kLanes;
        const auto child = [&] {
          const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
          mask &= mask - 1;
          return Entry(at[lane]) << 32 | (children + lane);
        };
        here = child();
        if (!mask) continue;
        const Entry second = child();
        // without a branch, as either is as likely
        const Entry swap = (here ^ second) & -Entry(second < here);
        stack[depth++] = second ^ swap;
        here ^= swap;
        if (!mask) continue;
        const int base = depth - 1;
        do {
          // the nearest one next, the others on the stack with the farthest at the bottom
          const Entry other = child();
          const Entry last = std::max(here, other);
          here = std::min(here, other);
          int place = depth++;
          for (; place > base && stack[place - 1] < last; --place) stack[place] = stack[place - 1];
          stack[place] = last;
        } while (mask);
        continue;
      }
    }
    do {
      if (depth == 0) return;
      here = stack[--depth];
    } while (std::bit_cast<float>(static_cast<std::uint32_t>(here >> 32)) > end_ - begin_);
  }
}

// Lanes whose triangle the ray may pass, as far as floats can tell; then the exact test. True when
// the ray is done.
template <RayMode kMode>
bool Caster<kMode>::leaf(const Ray& ray, const FrameRay& r, std::size_t index) {
  const Leaf& leaf = tree_.leaf(index);
  prefetch(&tree_.corners(index), sizeof(LeafCorners));
  const Float8 ox(r.origin[r.axis[0]]), oy(r.origin[r.axis[1]]), oz(r.origin[r.axis[2]]);
  const Float8 sx(-r.shear[0]), sy(-r.shear[1]), sign(r.sign);
  Float8 x[3], y[3], z[3];
  for (int c = 0; c < 3; ++c) {
    z[c] = (Float8::load(leaf.v[3 * c + r.axis[2]]) - oz) * sign;
    x[c] = mul_add(sx, z[c], Float8::load(leaf.v[3 * c + r.axis[0]]) - ox);
    y[c] = mul_add(sy, z[c], Float8::load(leaf.v[3 * c + r.axis[1]]) - oy);
  }
  const Float8 u = mul_sub(x[1], y[2], y[1] * x[2]);
  const Float8 v = mul_sub(x[2], y[0], y[2] * x[0]);
  const Float8 w = mul_sub(x[0], y[1], y[0] * x[1]);
  // An edge function of coordinates with error e is wrong by at most e S + 2e^2 and its own
  // roundings, 2^-24 (3/2) S^2 / 4, where S is the sum of all magnitudes.
  const Float8 farthest = max(max(abs(z[0]), abs(z[1])), abs(z[2]));
  const Float8 error = mul_add(farthest, Float8(kShearSlope), Float8(r.error));
  const Float8 sum = (abs(x[0]) + abs(y[0])) + (abs(x[1]) + abs(y[1])) + (abs(x[2]) + abs(y[2]));
  const Float8 bound =
      mul_add(sum, mul_add(sum, Float8(kEdgeSlope), error), error * error * Float8(3.0f));
  const Float8 lowest = min(min(u, v), w), highest = max(max(u, v), w);
  unsigned mask = bits(Float8(0.0f) - bound <= lowest) | bits(highest <= bound);
  mask &= tree_.lanes(index);
  if (!mask) return false;

  // The plane is passed at z0 + (v up + w over) / (u + v + w). For a hit this fraction is at most
  // `spread`, so errors of E in each of u, v, w move it by at most 4 E spread / |u + v + w|. Where
  // the divisor is zero all is infinite or NaN, and no comparison with it rejects.
  const Float8 up = z[1] - z[0], over = z[2] - z[0];
  const Float8 scale = Float8(1.0f) / (u + v + w);
  const Float8 at = mul_add(mul_add(v, up, w * over), scale, z[0]);
  const Float8 spread = (abs(up) + abs(over)) * Float8(5.0f);
  const Float8 slack = mul_add(bound * spread, abs(scale), Float8(kPlaneError + 2 * r.error));
  mask &= ~bits((Float8(begin_) > at + slack) | (at - slack > Float8(end_)));
  for (; mask; mask &= mask - 1) {
    if (test(ray, index, std::countr_zero(mask))) return true;
    if (kMode == RayMode::closest) end_ = end(ray, r);
  }
  return false;
}

template <RayMode kMode>
bool Caster<kMode>::test(const Ray& ray, std::size_t leaf, int lane) {
  const LeafCorners& corners = tree_.corners(leaf);
  double t;
  if (!pierces(ray, tree_.vertex(corners.id[0][lane]), tree_.vertex(corners.id[1][lane]),
               tree_.vertex(corners.id[2][lane]), t)) {
    return false;
  }
  t *= ray.unit;
  if (!(limits_.t_min <= t && t <= limits_.t_max)) return false;
  const std::int32_t face = tree_.face_of(leaf * kLanes + static_cast<std::size_t>(lane));
  if (kMode == RayMode::all) {
    hits_.push({best_.ray, face, t});
    return false;
  }
  const bool better = best_.face < 0 || t < best_.t || (t == best_.t && face < best_.face);
  if (better) best_ = {best_.ray, face, t};
  return kMode == RayMode::any;
}

template <RayMode kMode>
std::vector<RayHit> cast_all(const Tree& tree, const double* origins, const double* directions,
                             std::size_t count, RayLimits limits, int workers,
                             const Ticker::Callback& tick) {
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  std::vector<Buffer<RayHit>> found(chunks);
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      found[b].reserve(kChunk);
      Caster<kMode> caster(tree, limits, found[b]);
      for (std::size_t i = b * kChunk; i < std::min(count, (b + 1) * kChunk); ++i) {
        caster.cast(static_cast<std::int32_t>(i), origins + 3 * i, directions + 3 * i);
      }
      ticker.done(worker);
    }
  });
  std::size_t total = 0;
  for (const Buffer<RayHit>& part : found) total += part.size();
  std::vector<RayHit> hits;
  hits.reserve(total);
  for (const Buffer<RayHit>& part : found) hits.insert(hits.end(), part.begin(), part.end());
  return hits;
}

}  // namespace

std::vector<RayHit> raycast(const Tree& tree, const double* origins, const double* directions,
                            std::size_t count, RayMode mode, RayLimits limits, int workers,
                            const Ticker::Callback& tick) {
  if (tree.empty() || count == 0) return {};
  const auto cast = mode == RayMode::closest ? cast_all<RayMode::closest>
                    : mode == RayMode::any   ? cast_all<RayMode::any>
                                             : cast_all<RayMode::all>;
  return cast(tree, origins, directions, count, limits, workers, tick);
}

}  // namespace impinge
