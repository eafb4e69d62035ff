#include "bvh/raycast.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "bvh/buffer.hpp"
#include "bvh/frame_ray.hpp"
#include "bvh/ray_hits.hpp"
#include "bvh/ray_order.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kChunk = 256;  // rays of one task
constexpr int kMostLevels = 12;

// Rays that go through the tree together: a bit for each in a mask.
constexpr int kWords = 2, kRays = kWords * kLanes;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Things of the tree that rays may enter. A key has how far along, as the bits of a float that is
// not negative, above level and index: its order is the order of the visits.
using Key = std::uint64_t;
constexpr int kItemBits = 27;
static_assert(kMostLevels < (1 << (32 - kItemBits)));

float distance_of(Key key) { return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32)); }
std::uint32_t level_of(Key key) { return static_cast<std::uint32_t>(key) >> kItemBits; }
std::uint32_t index_of(Key key) {
  return static_cast<std::uint32_t>(key) & ((1u << kItemBits) - 1);
}

// Bit k of each of eight bytes, as one byte.
inline std::uint32_t column(std::uint64_t bytes, int k) {
  const std::uint64_t picked = (bytes >> k) & 0x0101010101010101u;
  return static_cast<std::uint32_t>(picked * 0x0102040810204080u >> 56);
}

// Where hits go: the best of each ray by its id, or all of them in a list.
struct Sink {
  std::int32_t* face;
  double* t;
  Buffer<Hit>* all;
};

// A ray that enters a leaf.
struct Visit {
  std::uint32_t leaf;
  int ray;
  SideBound side;
};

// Its triangles that the ray may pass.
struct Passed {
  Float8 edge[3], z[3];
  Float8 squares;  // of the sheared coordinates, summed
  Visit visit;
  unsigned lanes;
};

// One of them, for the exact test.
struct Candidate {
  std::uint32_t leaf;
  int ray, lane;
  int facing;   // sign of direction times normal when certainly hit, or 0
  float begin;  // certainly before the hit
};

constexpr int kVisits = 16, kCandidates = 64;

// Casts rays in packets; belongs to one thread. Boxes, leaves and exact tests are done many at a
// time, so that the work of one ray goes on while that of another waits.
template <RayMode kMode>
class Caster {
 public:
  Caster(const Tree& tree, RayLimits limits, Sink sink)
      : tree_(tree), limits_(limits), sink_(sink), top_(tree.boxes().top()) {
    for (int level = 1; level <= top_; ++level) nodes_[level] = &tree.boxes().node(level, 0);
  }

  // Any number of rays.
  void cast(const std::int32_t* ids, std::size_t count, const double* origins,
            const double* directions);

 private:
  std::uint32_t place(int i, std::int32_t id, const double* origin, const double* direction);
  void traverse(std::uint32_t rays);
  int open(Key node, std::uint32_t rays, Key* keys, std::uint32_t* entering);
  void visit(std::uint32_t leaf, std::uint32_t rays);
  void test_visits();
  void test_planes(const Passed& passed);
  void test_candidates();
  bool test(int i, std::size_t leaf, int lane, int facing);

  // `any` takes the first hit it comes by, so that its order must be the same on every machine.
  static Float8 position(Float8 x, Float8 inverse, Float8 shift) {
    return kMode == RayMode::any ? x * inverse - shift : mul_sub(x, inverse, shift);
  }

  void set_end(int i, float end) {
    frame_[i].end = end;
    length_[i] = end - begin_;
  }

  const Tree& tree_;
  const RayLimits limits_;
  const Sink sink_;
  const int top_;
  const Node* nodes_[kMostLevels + 1];

  std::size_t near_[3], far_[3];     // where a node has the sides of boxes passed first and last
  float begin_ = 0;                  // the first of all
  float error_ = 0;                  // the largest of all
  alignas(32) float length_[kRays];  // from there to the end of each
  Ray ray_[kRays];
  FrameRay frame_[kRays];
  Hit best_[kRays];

  int visits_ = 0, candidates_ = 0;
  Visit visit_[kVisits + kRays];
  Candidate candidate_[kCandidates + kLanes];
  Passed passed_[kVisits + kRays];
};

template <RayMode kMode>
void Caster<kMode>::cast(const std::int32_t* ids, std::size_t count, const double* origins,
                         const double* directions) {
  for (std::size_t i = 0; i < count;) {
    const unsigned sides = octant(directions + 3 * std::size_t(ids[i]));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t low = kLanes * k, high = low + 3 * kLanes;
      const bool negative = sides >> (2 - k) & 1;
      near_[k] = negative ? high : low;
      far_[k] = negative ? low : high;
    }
    std::uint32_t rays = 0;
    int n = 0;
    for (; n < kRays && i < count; ++i, ++n) {
      const std::size_t id = std::size_t(ids[i]);
      if (octant(directions + 3 * id) != sides) break;
      rays |= place(n, ids[i], origins + 3 * id, directions + 3 * id) << n;
    }
    for (std::size_t next = i; next < std::min(count, i + kRays); ++next) {
      prefetch(origins + 3 * std::size_t(ids[next]), 3 * sizeof(double));
      prefetch(directions + 3 * std::size_t(ids[next]), 3 * sizeof(double));
    }
    if (rays) traverse(rays);
    if (kMode == RayMode::all) continue;
    for (int k = 0; k < n; ++k) {
      sink_.face[best_[k].ray] = best_[k].face;
      sink_.t[best_[k].ray] = best_[k].t;
    }
  }
}

// One when the ray has to go through the tree.
template <RayMode kMode>
std::uint32_t Caster<kMode>::place(int i, std::int32_t id, const double* origin,
                                   const double* direction) {
  Ray& ray = ray_[i];
  FrameRay& r = frame_[i];
  ray.set(origin, direction);
  best_[i] = {id, -1, limits_.t_max};
  const FrameRay::State state = r.place(ray, tree_.frame());
  if (state == FrameRay::State::blind) {
    for (std::size_t slot = 0; slot < tree_.face_count(); ++slot) {
      const bool better = test(i, slot / kLanes, static_cast<int>(slot % kLanes), 0);
      if (kMode == RayMode::any && better) break;
    }
  }
  if (state != FrameRay::State::ready) return 0;
  r.limit(limits_.t_min / ray.unit, limits_.t_max / ray.unit);
  return 1;
}

template <RayMode kMode>
void Caster<kMode>::traverse(std::uint32_t rays) {
  begin_ = kInfinity;
  std::fill_n(length_, kRays, -1.0f);
  error_ = 0;
  for_each_bit(rays, [&](int i) {
    begin_ = std::min(begin_, frame_[i].begin);
    error_ = std::max(error_, frame_[i].error);
  });
  for_each_bit(rays, [&](int i) { set_end(i, frame_[i].end); });
  Key keys[kMostLevels * kLanes];
  std::uint32_t entering[kMostLevels * kLanes];
  int depth = 0;
  Key here = Key(top_) << kItemBits;
  while (true) {
    if (level_of(here) == 0) {
      visit(index_of(here), rays);
    } else {
      depth += open(here, rays, keys + depth, entering + depth);
    }
    do {
      if (depth == 0) {
        test_visits();
        test_candidates();
        return;
      }
      here = keys[--depth];
      // of the rays that may enter it those that have not ended before
      const Float8 distance(distance_of(here));
      std::uint32_t alive = 0;
      for (int w = 0; w < kWords; ++w) {
        alive |= bits(distance <= Float8::load(length_ + w * kLanes)) << (w * kLanes);
      }
      rays = entering[depth] & alive;
    } while (!rays);
  }
}

// The children that rays enter, the nearest one last. Returns how many.
template <RayMode kMode>
int Caster<kMode>::open(Key node, std::uint32_t rays, Key* keys, std::uint32_t* entering) {
  const std::uint32_t level = level_of(node), index = index_of(node);
  const float* rows = nodes_[level][index].lo[0];
  Float8 near[3], far[3];
  for (int k = 0; k < 3; ++k) {
    near[k] = Float8::load(rows + near_[k]);
    far[k] = Float8::load(rows + far_[k]);
  }
  Float8 nearest(kInfinity);
  std::uint64_t entered[kWords];
  for (int w = 0; w < kWords; ++w) {
    std::uint64_t bytes = 0;
    for_each_bit(rays >> (w * kLanes) & 255u, [&](int i) {
      const FrameRay& r = frame_[w * kLanes + i];
      Float8 enter(r.begin), leave(r.end);
      for (int k = 0; k < 3; ++k) {
        const Float8 inverse(r.inverse[k]);
        enter = max(enter, position(near[k], inverse, Float8(r.near_shift[k])));
        leave = min(leave, position(far[k], inverse, Float8(r.far_shift[k])));
      }
      const Mask8 hit = enter <= leave;
      nearest = min(nearest, select(hit, enter, nearest));
      bytes |= std::uint64_t(bits(hit)) << (i * 8);
    });
    entered[w] = bytes;
  }
  alignas(32) std::uint32_t at[kLanes];
  store_bits(nearest - Float8(begin_), at);
  std::uint64_t all = 0;
  for (int w = 0; w < kWords; ++w) all |= entered[w];
  all |= all >> 32;
  all |= all >> 16;
  all |= all >> 8;
  const std::uint32_t first = (level - 1) << kItemBits | index * kLanes;
  int count = 0;
  for_each_bit(static_cast<unsigned>(all & 255u), [&](int k) {
    const Key key = Key(at[k]) << 32 | (first + static_cast<std::uint32_t>(k));
    std::uint32_t child_rays = 0;
    for (int w = 0; w < kWords; ++w) child_rays |= column(entered[w], k) << (w * kLanes);
    int place = count++;
    for (; place > 0 && keys[place - 1] < key; --place) {
      keys[place] = keys[place - 1];
      entering[place] = entering[place - 1];
    }
    keys[place] = key;
    entering[place] = child_rays;
  });
  return count;
}

template <RayMode kMode>
void Caster<kMode>::visit(std::uint32_t leaf, std::uint32_t rays) {
  prefetch(&tree_.leaf(leaf), sizeof(Leaf));
  const Node& parent = nodes_[1][leaf / kLanes];
  const std::size_t at = leaf % kLanes;
  float size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, parent.hi[k][at] - parent.lo[k][at]);
  const SideBound side(size, error_);
  for_each_bit(rays, [&](int i) { visit_[visits_++] = {leaf, i, side}; });
  if (visits_ >= kVisits) test_visits();
}

// Triangles that the rays may pass, as far as floats can tell.
template <RayMode kMode>
void Caster<kMode>::test_visits() {
  int n = 0;
  for (int j = 0; j < visits_; ++j) {
    const Visit visit = visit_[j];
    const Leaf& leaf = tree_.leaf(visit.leaf);
    const FrameRay& r = frame_[visit.ray];
    const float* rows[3] = {leaf.v[r.axis[0]], leaf.v[r.axis[1]], leaf.v[r.axis[2]]};
    const Float8 ox(r.origin[0]), oy(r.origin[1]), oz(r.origin[2]);
    const Float8 sx(r.shear[0]), sy(r.shear[1]);
    Float8 x[3], y[3], z[3];
    for (int c = 0; c < 3; ++c) {
      z[c] = Float8::load(rows[2] + 3 * kLanes * c) - oz;
      x[c] = mul_add(sx, z[c], Float8::load(rows[0] + 3 * kLanes * c) - ox);
      y[c] = mul_add(sy, z[c], Float8::load(rows[1] + 3 * kLanes * c) - oy);
    }
    const Float8 u = mul_sub(x[1], y[2], y[1] * x[2]);
    const Float8 v = mul_sub(x[2], y[0], y[2] * x[0]);
    const Float8 w = mul_sub(x[0], y[1], y[0] * x[1]);
    Float8 squares = x[0] * x[0];
    squares = mul_add(y[0], y[0], squares);
    for (int c = 1; c < 3; ++c) squares = mul_add(y[c], y[c], mul_add(x[c], x[c], squares));
    const Float8 bound(visit.side.bound);
    const Float8 lowest = min(min(u, v), w), highest = max(max(u, v), w);
    const unsigned lanes =
        (bits(Float8(0.0f) - bound <= lowest) | bits(highest <= bound)) & tree_.lanes(visit.leaf);
    Passed& passed = passed_[n];
    n += lanes != 0;
    passed.edge[0] = u;
    passed.edge[1] = v;
    passed.edge[2] = w;
    for (int c = 0; c < 3; ++c) passed.z[c] = z[c];
    passed.visit = visit;
    passed.lanes = lanes;
    passed.squares = squares;
  }
  visits_ = 0;
  for (int j = 0; j < n; ++j) test_planes(passed_[j]);
}

// Of these, the triangles that are passed within the limits of the ray.
template <RayMode kMode>
void Caster<kMode>::test_planes(const Passed& passed) {
  FrameRay& r = frame_[passed.visit.ray];
  const Float8 u = passed.edge[0], v = passed.edge[1], w = passed.edge[2];
  // The plane is passed at z0 + (v up + w over) / (u + v + w). For a hit this fraction is at most
  // `spread`, so errors of E in each of u, v, w move it by at most 4 E spread / |u + v + w|. Where
  // the divisor is zero all is infinite or NaN, and no comparison with it rejects.
  const Float8 up = passed.z[1] - passed.z[0], over = passed.z[2] - passed.z[0];
  const Float8 scale = Float8(1.0f) / (u + v + w);
  const Float8 at = mul_add(mul_add(v, up, w * over), scale, passed.z[0]) * Float8(r.sign);
  const Float8 spread = (abs(up) + abs(over)) * Float8(5.0f * passed.visit.side.bound);
  const Float8 slack = mul_add(spread, abs(scale), Float8(r.plane_error));
  const Float8 first = at - slack, last = at + slack;
  const unsigned outside = bits((Float8(r.begin) > last) | (first > Float8(r.end)));
  unsigned lanes = passed.lanes & ~outside;
  if (!lanes) return;
  const SideBound& side = passed.visit.side;
  const Float8 bound(side.bound);
  const Mask8 near = passed.squares <= Float8(side.reach * side.reach);
  const unsigned front = bits((min(min(u, v), w) > bound) & near);
  const unsigned back = bits((Float8(-side.bound) > max(max(u, v), w)) & near);
  if (kMode == RayMode::closest) {
    const unsigned sure = lanes & (front | back) & bits(first > Float8(r.sure_begin));
    if (sure) {
      alignas(32) float behind[kLanes];
      last.store(behind);
      float end = r.end;
      for_each_bit(sure, [&](int k) { end = std::min(end, behind[k] + r.depth_error); });
      set_end(passed.visit.ray, end);
    }
  }
  prefetch(&tree_.corners(passed.visit.leaf), sizeof(LeafCorners));
  alignas(32) float before[kLanes];
  first.store(before);
  for_each_bit(lanes, [&](int k) {
    const int turn = static_cast<int>(front >> k & 1) - static_cast<int>(back >> k & 1);
    const int facing = r.sign < 0 ? -turn : turn;
    candidate_[candidates_++] = {passed.visit.leaf, passed.visit.ray, k, facing, before[k]};
  });
  if (kMode != RayMode::closest || candidates_ >= kCandidates) test_candidates();
}

template <RayMode kMode>
void Caster<kMode>::test_candidates() {
  for (int j = 0; j < candidates_; ++j) {
    const LeafCorners& corners = tree_.corners(candidate_[j].leaf);
    for (int k = 0; k < 3; ++k) {
      prefetch(tree_.vertex(corners.id[k][candidate_[j].lane]), 3 * sizeof(double));
    }
  }
  for (int j = 0; j < candidates_; ++j) {
    const Candidate& c = candidate_[j];
    const int i = c.ray;
    if (c.begin > frame_[i].end || (kMode == RayMode::any && best_[i].face >= 0)) continue;
    if (!test(i, c.leaf, c.lane, c.facing)) continue;
    set_end(i,
            kMode == RayMode::closest ? frame_[i].behind(best_[i].t / ray_[i].unit) : -kInfinity);
  }
  candidates_ = 0;
}

// True for a hit that is the best so far.
template <RayMode kMode>
bool Caster<kMode>::test(int i, std::size_t leaf, int lane, int facing) {
  const LeafCorners& corners = tree_.corners(leaf);
  const double* a = tree_.vertex(corners.id[0][lane]);
  const double* b = tree_.vertex(corners.id[1][lane]);
  const double* c = tree_.vertex(corners.id[2][lane]);
  double t;
  if (facing != 0) {
    t = inner_depth(ray_[i], a, b, c, facing);
  } else if (!pierces(ray_[i], a, b, c, t)) {
    return false;
  }
  t *= ray_[i].unit;
  if (!(limits_.t_min <= t && t <= limits_.t_max)) return false;
  const std::int32_t face = tree_.face_of(leaf * kLanes + static_cast<std::size_t>(lane));
  Hit& best = best_[i];
  if (kMode == RayMode::all) {
    sink_.all->push({best.ray, face, t});
    return false;
  }
  const bool better = best.face < 0 || t < best.t || (t == best.t && face < best.face);
  if (better) best = {best.ray, face, t};
  return kMode == RayMode::any || better;
}

template <RayMode kMode>
RayHits cast_all(const Tree& tree, const double* origins, const double* directions,
                 std::size_t count, RayLimits limits, int workers, const Ticker::Callback& tick) {
  const Buffer<std::int32_t> order = order_rays(tree.frame(), origins, directions, count, workers);
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  constexpr bool kAll = kMode == RayMode::all;
  RayHits hits(kAll ? 0 : count);
  std::vector<Buffer<Hit>> found(kAll ? chunks : 0);
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      Caster<kMode> caster(tree, limits,
                           {hits.face.get(), hits.t.get(), kAll ? &found[b] : nullptr});
      caster.cast(order.data() + b * kChunk, std::min(count - b * kChunk, kChunk), origins,
                  directions);
      ticker.done(worker);
    }
  });
  if (kAll) return gathered(found, count);
  drop_misses(hits);
  return hits;
}

}  // namespace

RayHits raycast(const Tree& tree, const double* origins, const double* directions,
                std::size_t count, RayMode mode, RayLimits limits, int workers,
                const Ticker::Callback& tick) {
  if (tree.empty() || count == 0) return RayHits(0);
  const auto cast = mode == RayMode::closest ? cast_all<RayMode::closest>
                    : mode == RayMode::any   ? cast_all<RayMode::any>
                                             : cast_all<RayMode::all>;
  return cast(tree, origins, directions, count, limits, workers, tick);
}

}  // namespace impinge
