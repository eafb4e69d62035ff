#include "bvh/ray_caster.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "bvh/ray_order.hpp"

namespace impinge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Of a key.
constexpr int kItemBits = 27;

float distance_of(std::uint64_t key) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32));
}
std::uint32_t level_of(std::uint64_t key) { return static_cast<std::uint32_t>(key) >> kItemBits; }
std::uint32_t index_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key) & ((1u << kItemBits) - 1);
}

// Bit k of each of eight bytes, as one byte.
inline std::uint32_t column(std::uint64_t bytes, int k) {
  const std::uint64_t picked = (bytes >> k) & 0x0101010101010101u;
  return static_cast<std::uint32_t>(picked * 0x0102040810204080u >> 56);
}

// `any` takes the first hit it comes by, so that its order must be the same on every machine.
template <RayMode kMode>
Float8 position(const Float8& x, const Float8& inverse, const Float8& shift) {
  return kMode == RayMode::any ? x * inverse - shift : mul_sub(x, inverse, shift);
}

}  // namespace

template <RayMode kMode>
RayCaster<kMode>::RayCaster(const Tree& tree, RayLimits limits, RaySink sink)
    : packet_(tree, limits, sink), leaves_(packet_), top_(tree.boxes().top()) {
  static_assert(kMostLevels < (1 << (32 - kItemBits)));
  for (int level = 1; level <= top_; ++level) nodes_[level] = &tree.boxes().node(level, 0);
}

template <RayMode kMode>
void RayCaster<kMode>::cast(const std::int32_t* ids, std::size_t count, const double* origins,
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
      rays |= packet_.place(n, ids[i], origins + 3 * id, directions + 3 * id) << n;
    }
    for (std::size_t next = i; next < std::min(count, i + kRays); ++next) {
      prefetch(origins + 3 * std::size_t(ids[next]), 3 * sizeof(double));
      prefetch(directions + 3 * std::size_t(ids[next]), 3 * sizeof(double));
    }
    if (rays) traverse(rays);
    if (kMode == RayMode::all) continue;
    for (int k = 0; k < n; ++k) {
      packet_.sink.face[packet_.best[k].ray] = packet_.best[k].face;
      packet_.sink.t[packet_.best[k].ray] = packet_.best[k].t;
    }
  }
}

template <RayMode kMode>
void RayCaster<kMode>::traverse(std::uint32_t rays) {
  packet_.start(rays);
  Key keys[kMostLevels * kLanes];
  std::uint32_t entering[kMostLevels * kLanes];
  int depth = 0;
  Key here = Key(top_) << kItemBits;
  while (true) {
    depth += open(here, rays, keys + depth, entering + depth);
    do {
      if (depth == 0) {
        leaves_.finish();
        return;
      }
      here = keys[--depth];
      // of the rays that may enter it those that have not ended before
      const Float8 distance(distance_of(here));
      std::uint32_t alive = 0;
      for (int w = 0; w < kWords; ++w) {
        alive |= bits(distance <= Float8::load(packet_.length + w * kLanes)) << (w * kLanes);
      }
      rays = entering[depth] & alive;
    } while (!rays);
  }
}

// The nodes below that rays enter, the nearest one last. Returns how many; leaves are visited at
// once, as almost none would be left out later.
template <RayMode kMode>
int RayCaster<kMode>::open(Key node, std::uint32_t rays, Key* keys, std::uint32_t* entering) {
  const std::uint32_t level = level_of(node), index = index_of(node);
  const float* rows = nodes_[level][index].lo[0];
  Float8 near[3], far[3];
  for (int k = 0; k < 3; ++k) {
    near[k] = Float8::load(rows + near_[k]);
    far[k] = Float8::load(rows + far_[k]);
  }
  Float8 nearest(kInfinity);
  std::uint64_t entered[kWords] = {};
  for_each_bit(rays, [&](int bit) {
    const unsigned i = static_cast<unsigned>(bit);
    const FrameRay& r = packet_.frame[i];
    Float8 enter(r.begin), leave(r.end);
    for (int k = 0; k < 3; ++k) {
      const Float8 inverse(r.inverse[k]);
      enter = max(enter, position<kMode>(near[k], inverse, Float8(r.near_shift[k])));
      leave = min(leave, position<kMode>(far[k], inverse, Float8(r.far_shift[k])));
    }
    const Mask8 hit = enter <= leave;
    nearest = min(nearest, select(hit, enter, nearest));
    entered[i / kLanes] |= std::uint64_t(bits(hit)) << (i % kLanes * kLanes);
  });
  if (level == 1) {
    leaves_.visit(index, entered);
    return 0;
  }
  alignas(32) std::uint32_t at[kLanes];
  store_bits(nearest - Float8(packet_.begin), at);
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

template class RayCaster<RayMode::closest>;
template class RayCaster<RayMode::any>;
template class RayCaster<RayMode::all>;

}  // namespace impinge
