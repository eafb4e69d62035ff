#include "bvh/ray_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kFew = 16;  // not worth ordering
constexpr std::size_t kGrain = 4096;
constexpr int kPlaceBits = 7, kTurnBits = 4;  // of each coordinate
constexpr int kDigit = 11, kDigits = 3;
constexpr std::uint32_t kBuckets = 1u << kDigit;
static_assert(3 + 3 * kPlaceBits + 2 * kTurnBits <= kDigit * kDigits);

struct Keyed {
  std::uint32_t key;
  std::int32_t ray;

  std::uint32_t digit(int d) const { return key >> (d * kDigit) & (kBuckets - 1); }
};

// Two zeros between the bits of a cell.
constexpr auto kSpread = [] {
  std::array<std::uint32_t, 1u << kPlaceBits> table{};
  for (std::uint32_t x = 0; x < table.size(); ++x) {
    for (int bit = 0; bit < kPlaceBits; ++bit) table[x] |= (x >> bit & 1) << (3 * bit);
  }
  return table;
}();

// A cell of [0, 1]; what is outside is in the last one.
std::uint32_t cell(double x, int bits) {
  const double cells = static_cast<double>(1u << bits), at = x * cells;
  const double inside = at < cells - 1 ? at : cells - 1;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(inside > 0 ? inside : 0));
}

std::uint32_t key_of(const Frame& frame, const double* origin, const double* direction) {
  double p[3], square = 0, along = 0, farthest = 0;
  for (int k = 0; k < 3; ++k) {
    p[k] = (origin[k] - frame.centre[k]) * frame.scale;
    farthest = std::max(farthest, std::abs(p[k]));
  }
  const double size = std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]);
  const double shrink = 1 / size;
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = direction[k] * shrink;
  if (farthest > 1) {
    for (int k = 0; k < 3; ++k) {
      square += d[k] * d[k];
      along += d[k] * p[k];
    }
    for (int k = 0; k < 3; ++k) p[k] -= along / square * d[k];
  }
  std::uint32_t key = octant(direction) << (3 * kPlaceBits);
  for (int k = 0; k < 3; ++k) key |= kSpread[cell(0.5 * p[k] + 0.5, kPlaceBits)] << (2 - k);
  // within an octant two of the components tell the third
  for (int k = 0; k < 2; ++k) key = key << kTurnBits | cell(std::abs(d[k]), kTurnBits);
  return key;
}

void make_starts(std::uint32_t (&counts)[kBuckets]) {
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) sum += std::exchange(count, sum);
}

// Rays whose keys are next to each other, to be sorted by one task.
struct Group {
  std::uint32_t begin = 0, end = 0;
};

// By the two lower digits, then to the places that the upper one leaves for them.
void sort_group(Keyed* rays, Keyed* spare, std::size_t n, std::uint32_t* places,
                std::int32_t* order) {
  std::uint32_t starts[2][kBuckets] = {};
  for (std::size_t i = 0; i < n; ++i) {
    for (int d = 0; d < 2; ++d) ++starts[d][rays[i].digit(d)];
  }
  for (int d = 0; d < 2; ++d) {
    make_starts(starts[d]);
    for (std::size_t i = 0; i < n; ++i) spare[starts[d][rays[i].digit(d)]++] = rays[i];
    std::swap(rays, spare);
  }
  for (std::size_t i = 0; i < n; ++i) order[places[rays[i].digit(2)]++] = rays[i].ray;
}

void sort_by_key(Buffer<Keyed>& keyed, std::int32_t* order, int workers) {
  const std::size_t n = keyed.size();
  std::uint32_t places[kBuckets] = {};
  for (const Keyed& x : keyed) ++places[x.digit(2)];
  make_starts(places);
  Buffer<Group> groups;
  groups.resize(n / kGrain + 1);
  std::fill_n(groups.data(), groups.size(), Group{});
  std::uint32_t group_of[kBuckets];
  for (std::uint32_t b = 0; b < kBuckets; ++b) {
    const std::uint32_t begin = places[b];
    const std::uint32_t end = b + 1 < kBuckets ? places[b + 1] : static_cast<std::uint32_t>(n);
    group_of[b] = begin / kGrain;
    if (begin == end) continue;
    Group& group = groups[group_of[b]];
    if (group.end == 0) group.begin = begin;
    group.end = end;
  }
  Buffer<Keyed> spare;
  spare.resize(n);
  Buffer<std::uint32_t> next;
  next.resize(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) next[g] = groups[g].begin;
  for (const Keyed& x : keyed) spare[next[group_of[x.digit(2)]]++] = x;
  parallel_for(workers, groups.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      const Group& group = groups[b];
      if (group.begin == group.end) continue;
      sort_group(spare.data() + group.begin, keyed.data() + group.begin, group.end - group.begin,
                 places, order);
    }
  });
}

}  // namespace

unsigned octant(const double* direction) {
  return (std::signbit(direction[0]) ? 4u : 0u) | (std::signbit(direction[1]) ? 2u : 0u) |
         (std::signbit(direction[2]) ? 1u : 0u);
}

Buffer<std::int32_t> order_rays(const Frame& frame, const double* origins, const double* directions,
                                std::size_t count, int workers) {
  Buffer<std::int32_t> order;
  order.resize(count);
  if (count <= kFew) {
    for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
    return order;
  }
  Buffer<Keyed> keyed;
  keyed.resize(count);
  parallel_for(workers, count, kGrain, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      keyed[b] = {key_of(frame, origins + 3 * b, directions + 3 * b), static_cast<std::int32_t>(b)};
    }
  });
  sort_by_key(keyed, order.data(), workers);
  return order;
}

}  // namespace impinge
