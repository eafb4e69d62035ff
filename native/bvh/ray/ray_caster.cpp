#include "bvh/ray/ray_caster.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace impinge::bvh {
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

// From as many rays for each word on they are tested against a box together.
constexpr int kMany = 6;

int words_of(std::uint32_t rays) {
  int words = 0;
  for (; rays; rays >>= kLanes) words += (rays & 255u) != 0;
  return words;
}

}  // namespace

template <RayMode kMode>
RayCaster<kMode>::RayCaster(const Tree& tree, RayLimits limits, RaySink sink)
    : packet_(tree, limits, sink), leaves_(packet_), top_(tree.boxes().top()) {
  static_assert(kMostLevels < (1 << (32 - kItemBits)));
  for (int level = 1; level <= top_; ++level) nodes_[level] = &tree.boxes().node(level, 0);
}

template <RayMode kMode>
void RayCaster<kMode>::cast(const KeyedRay* rays, std::size_t count, const double* origins,
                            const double* directions) {
  for (std::size_t i = 0; i < count;) {
    const unsigned heading = rays[i].heading();
    packet_.sides.set(heading);
    int n = 0;
    for (; n < kPacketRays && i < count && rays[i].heading() == heading; ++i, ++n) {
      const std::size_t id = std::size_t(rays[i].id);
      packet_.add(n, rays[i].id, origins + 3 * id, directions + 3 * id, rays[i].axis());
    }
    for (std::size_t next = i; next < std::min(count, i + kPacketRays); ++next) {
      prefetch(origins + 3 * std::size_t(rays[next].id), 3 * sizeof(double));
      prefetch(directions + 3 * std::size_t(rays[next].id), 3 * sizeof(double));
    }
    if (const std::uint32_t ready = packet_.start(n)) traverse(ready);
    if (kMode == RayMode::all) continue;
    const RayHits& to = *packet_.sink.best;
    for (int k = 0; k < n; ++k) {
      const Hit& best = packet_.best[k];
      to.face[std::size_t(best.ray)] = best.face;
      to.t[std::size_t(best.ray)] = best.t;
    }
  }
}

template <RayMode kMode>
void RayCaster<kMode>::traverse(std::uint32_t rays) {
  Key keys[kMostLevels * kLanes];
  std::uint32_t entering[kMostLevels * kLanes];
  int depth = 0;
  Key here = Key(top_) << kItemBits;
  while (true) {
    if (level_of(here) > 2) {
      depth += open(here, rays, keys + depth, entering + depth);
    } else if (top_ > 1) {
      open_patch(index_of(here), rays);
    } else {
      open_parent(rays);
    }
    do {
      if (depth == 0) {
        leaves_.finish();
        return;
      }
      here = keys[--depth];
      // of the rays that may enter it those that have not ended before
      const Float8 distance(distance_of(here));
      std::uint32_t alive = 0;
      for (int w = 0; w < kPacketWords; ++w) {
        alive |= bits(distance <= Float8::load(packet_.length + w * kLanes)) << (w * kLanes);
      }
      rays = entering[depth] & alive;
    } while (!rays);
  }
}

// The nodes below that rays enter, the nearest one last. Returns how many.
template <RayMode kMode>
int RayCaster<kMode>::open(Key node, std::uint32_t rays, Key* keys, std::uint32_t* entering) {
  const std::uint32_t level = level_of(node), index = index_of(node);
  const Node& boxes = nodes_[level][index];
  Entered entered;
  if (std::popcount(rays) < kMany * words_of(rays)) {
    enter_one_by_one(boxes, rays, entered);
  } else {
    const unsigned children = packet_.tree.boxes().children(static_cast<int>(level), index);
    enter_together(boxes, static_cast<std::size_t>(std::popcount(children)), rays, entered);
  }
  alignas(32) std::uint32_t at[kLanes];
  store_bits(entered.nearest - Float8(packet_.begin), at);
  const std::uint32_t first = (level - 1) << kItemBits | index * kLanes;
  int count = 0;
  for_each_bit(entered.children, [&](int k) {
    const Key key = Key(at[k]) << 32 | (first + static_cast<std::uint32_t>(k));
    int place = count++;
    for (; place > 0 && keys[place - 1] < key; --place) {
      keys[place] = keys[place - 1];
      entering[place] = entering[place - 1];
    }
    keys[place] = key;
    entering[place] = entered.rays[k];
    prefetch(nodes_[level - 1] + index * kLanes + static_cast<std::uint32_t>(k), sizeof(Node));
  });
  return count;
}

// Leaves are visited at once, as almost none would be left out later.
template <RayMode kMode>
void RayCaster<kMode>::open_patch(std::uint32_t index, std::uint32_t rays) {
  const NodeSides sides(nodes_[2][index], packet_.sides);
  Entering entering[kPacketRays + 1];
  int count = 0, n = 0;
  for_each_bit(rays, [&](int i) {
    const auto [enter, leave] = sides.template passed<kMode>(packet_.frame, i);
    entering[count] = {i, bits(enter <= leave)};
    count += entering[count].children != 0;
  });
  alignas(32) float bounds[kLanes];  // of the size of a box around the leaves, which is enough
  packet_.frame.side_bound(sides.sizes()).store(bounds);
  Visit* const visits = leaves_.more();
  for_each_child(entering, count, [&](const Entering& entered, int child) {
    const std::uint32_t parent = index * kLanes + static_cast<std::uint32_t>(child);
    prefetch(nodes_[1] + parent, sizeof(Node));
    visits[n++] = {parent, entered.ray, bounds[child]};
  });
  leaves_.add(n);
}

// Of a tree that has no more.
template <RayMode kMode>
void RayCaster<kMode>::open_parent(std::uint32_t rays) {
  Visit* const visits = leaves_.more();
  int n = 0;
  const float bound = packet_.frame.side_bound(longest_side(packet_.tree.boxes().root()));
  for_each_bit(rays, [&](int i) { visits[n++] = {0, i, bound}; });
  leaves_.add(n);
}

// Eight boxes at a time.
template <RayMode kMode>
void RayCaster<kMode>::enter_one_by_one(const Node& node, std::uint32_t rays,
                                        Entered& entered) const {
  const NodeSides sides(node, packet_.sides);
  Float8 nearest(kInfinity);
  ByteColumns bytes;
  for_each_bit(rays, [&](int i) {
    const auto [enter, leave] = sides.template passed<kMode>(packet_.frame, i);
    const Mask8 hit = enter <= leave;
    nearest = min(nearest, select(hit, enter, nearest));
    bytes.set(i, bits(hit));
  });
  entered.nearest = nearest;
  entered.children = bits(Float8(kInfinity) > nearest);
  for_each_bit(entered.children, [&](int k) { entered.rays[k] = bytes.column(k); });
}

// Eight rays at a time.
template <RayMode kMode>
void RayCaster<kMode>::enter_together(const Node& node, std::size_t children, std::uint32_t rays,
                                      Entered& entered) const {
  const FrameRays<kPacketRays>& r = packet_.frame;
  const float* rows = node.lo[0];
  const PassedSides sides = packet_.sides;
  Float8 nearest[kLanes];
  std::fill_n(nearest, kLanes, Float8(kInfinity));
  std::fill_n(entered.rays, kLanes, 0u);
  for (int w = 0; w < kPacketRays; w += kLanes) {
    const std::uint32_t here = rays & 255u << w;
    if (!here) continue;
    const Float8 begin = Float8::load(r.begin + w), end = Float8::load(r.end + w);
    Float8 inverse[3], near_shift[3], far_shift[3];
    for (int k = 0; k < 3; ++k) {
      inverse[k] = Float8::load(r.inverse[k] + w);
      near_shift[k] = Float8::load(r.near_shift[k] + w);
      far_shift[k] = Float8::load(r.far_shift[k] + w);
    }
    for (std::size_t child = 0; child < children; ++child) {
      Float8 enter = begin, leave = end;
      for (int k = 0; k < 3; ++k) {
        const Float8 near(rows[sides.near[k] + child]), far(rows[sides.far[k] + child]);
        enter = max(enter, position<kMode>(near, inverse[k], near_shift[k]));
        leave = min(leave, position<kMode>(far, inverse[k], far_shift[k]));
      }
      const Mask8 hit = enter <= leave;
      nearest[child] = min(nearest[child], select(hit, enter, nearest[child]));
      entered.rays[child] |= bits(hit) << w & here;
    }
  }
  entered.nearest = lowest_of_each(nearest);
  entered.children = 0;
  for (int child = 0; child < kLanes; ++child) {
    entered.children |= unsigned{entered.rays[child] != 0} << child;
  }
}

template class RayCaster<RayMode::closest>;
template class RayCaster<RayMode::any>;
template class RayCaster<RayMode::all>;

}  // namespace impinge::bvh
