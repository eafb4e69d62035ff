#include "bvh/ray_order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kFew = 16;  // not worth ordering
constexpr std::size_t kGrain = 4096;
constexpr int kPlaceBits = 7, kTurnBits = 4;  // of each coordinate
constexpr int kDigit = 11, kDigits = 3;
static_assert(3 + 3 * kPlaceBits + 2 * kTurnBits <= kDigit * kDigits);

struct Keyed {
  std::uint32_t key;
  std::int32_t ray;
};

// Two zeros between the bits of a number below 2^10.
std::uint32_t spread(std::uint32_t x) {
  x = (x | x << 16) & 0x030000ffu;
  x = (x | x << 8) & 0x0300f00fu;
  x = (x | x << 4) & 0x030c30c3u;
  return (x | x << 2) & 0x09249249u;
}

// A cell of [-1, 1]; what is outside is in the last one.
std::uint32_t cell(double x, int bits) {
  const double cells = static_cast<double>(1u << bits);
  return static_cast<std::uint32_t>(std::clamp((0.5 * x + 0.5) * cells, 0.0, cells - 1));
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
  std::uint32_t key = octant(direction);
  key = key << (3 * kPlaceBits) | spread(cell(p[0], kPlaceBits)) << 2 |
        spread(cell(p[1], kPlaceBits)) << 1 | spread(cell(p[2], kPlaceBits));
  // within an octant two of the components tell the third
  const std::uint32_t turn[2] = {cell(2 * std::abs(d[0]) - 1, kTurnBits),
                                 cell(2 * std::abs(d[1]) - 1, kTurnBits)};
  return key << (2 * kTurnBits) | turn[0] << kTurnBits | turn[1];
}

void sort_by_key(Buffer<Keyed>& keyed) {
  const std::size_t n = keyed.size();
  Buffer<Keyed> spare;
  spare.resize(n);
  Buffer<std::uint32_t> starts;
  starts.resize(kDigits << kDigit);
  std::fill_n(starts.data(), starts.size(), 0u);
  constexpr std::uint32_t kMask = (1u << kDigit) - 1;
  for (const Keyed& x : keyed) {
    for (int d = 0; d < kDigits; ++d) ++starts[(d << kDigit) + ((x.key >> (d * kDigit)) & kMask)];
  }
  for (int d = 0; d < kDigits; ++d) {
    std::uint32_t* start = starts.data() + (d << kDigit);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i <= kMask; ++i) sum += std::exchange(start[i], sum);
    for (const Keyed& x : keyed) spare[start[(x.key >> (d * kDigit)) & kMask]++] = x;
    keyed.swap(spare);
  }
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
  sort_by_key(keyed);
  for (std::size_t i = 0; i < count; ++i) order[i] = keyed[i].ray;
  return order;
}

}  // namespace impinge
