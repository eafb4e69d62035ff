#include "bvh/ray/ray_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "base/key_order.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kBlock = 8;  // rays whose keys are made together
constexpr int kDigit = kKeyDigit, kDigits = kKeyDigits;
constexpr double kLargest = 1e100;

// A key is a heading and a cell of 2^7 along each axis and 2^3 for two components of the direction,
// the bits of which take turns: one level in the first digit, two of the place and one of the turn
// in each other.
constexpr int kPlaceBits = 2 * kDigits - 1, kTurnBits = kDigits - 1;

constexpr auto kPlace = [] {
  std::array<std::uint32_t, 1u << kPlaceBits> table{};
  for (std::uint32_t x = 0; x < table.size(); ++x) {
    for (int bit = 0; bit < kPlaceBits; ++bit) {
      const int at = kDigit * (bit / 2) + (bit + 1 == kPlaceBits ? 0 : 2 + 3 * (bit % 2));
      table[x] |= (x >> bit & 1) << at;
    }
  }
  return table;
}();
constexpr auto kTurn = [] {
  std::array<std::uint32_t, 1u << kTurnBits> table{};
  for (std::uint32_t x = 0; x < table.size(); ++x) {
    for (int bit = 0; bit < kTurnBits; ++bit) table[x] |= (x >> bit & 1) << (kDigit * bit);
  }
  return table;
}();

double larger(double x, double y) { return x > y ? x : y; }

// A cell of [0, 1]; what is outside is in the first or last one.
std::uint32_t cell(double x, int bits) {
  const double cells = static_cast<double>(1 << bits), at = x * cells;
  const double inside = at < cells - 1 ? at : cells - 1;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(inside > 0 ? inside : 0));
}

// Of at most kBlock rays; false when one of them cannot be cast. Loops over lanes have no branches,
// so that they become vectors.
bool make_block(const Frame& frame, const double* origins, const double* directions,
                std::size_t first, std::size_t n, KeyedRay* keyed) {
  double p[3][kBlock], d[3][kBlock], away[kBlock];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      p[k][i] = origins[3 * i + k];
      d[k][i] = directions[3 * i + k];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    std::fill(p[k] + n, p[k] + kBlock, 0.0);
    std::fill(d[k] + n, d[k] + kBlock, 1.0);
  }
  // in doubles, as vectors that become wider or narrower are slow
  double good[kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) {
    double all = std::abs(d[0][i]) + std::abs(d[1][i]) + std::abs(d[2][i]) > 0 ? 1.0 : 0.0;
    for (int k = 0; k < 3; ++k) {
      all = std::abs(p[k][i]) <= kLargest ? all : 0.0;
      all = std::abs(d[k][i]) <= kLargest ? all : 0.0;
    }
    good[i] = all;
  }
  std::int32_t heading[kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) {
    const double x = std::abs(d[0][i]), y = std::abs(d[1][i]), z = std::abs(d[2][i]);
    const double y_or_x = y > x ? 8.0 : 0.0, axis = z > larger(x, y) ? 16.0 : y_or_x;
    const double signs =
        std::copysign(2.0, d[0][i]) + std::copysign(1.0, d[1][i]) + std::copysign(0.5, d[2][i]);
    heading[i] = static_cast<std::int32_t>(axis + 3.5 - signs);
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    const double shrink = 1 / (std::abs(d[0][i]) + std::abs(d[1][i]) + std::abs(d[2][i]));
    for (int k = 0; k < 3; ++k) {
      p[k][i] = (p[k][i] - frame.centre[k]) * frame.scale;
      d[k][i] *= shrink;
    }
    away[i] = larger(larger(std::abs(p[0][i]), std::abs(p[1][i])), std::abs(p[2][i]));
  }
  double farthest = 0;
  for (std::size_t i = 0; i < kBlock; ++i) farthest = larger(farthest, away[i]);
  if (farthest > 1) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const double along = d[0][i] * p[0][i] + d[1][i] * p[1][i] + d[2][i] * p[2][i];
      const double square = d[0][i] * d[0][i] + d[1][i] * d[1][i] + d[2][i] * d[2][i];
      const double back = away[i] > 1 ? along / square : 0;
      for (int k = 0; k < 3; ++k) p[k][i] -= back * d[k][i];
    }
  }
  std::uint32_t place[3][kBlock], turn[2][kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) {
    for (int k = 0; k < 3; ++k) place[k][i] = cell(0.5 * p[k][i] + 0.5, kPlaceBits);
    // with the heading two of the components tell the third
    for (int k = 0; k < 2; ++k) turn[k][i] = cell(std::abs(d[k][i]), kTurnBits);
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t key = static_cast<std::uint32_t>(heading[i]) << KeyedRay::kPlaceBits;
    for (std::size_t k = 0; k < 3; ++k) key |= kPlace[place[k][i]] << (2 - k);
    for (std::size_t k = 0; k < 2; ++k) key |= kTurn[turn[k][i]] << (1 - k);
    keyed[i] = {key, static_cast<std::int32_t>(first + i)};
  }
  return std::all_of(good, good + kBlock, [](double g) { return g != 0; });
}

void make_keys(const Frame& frame, const double* origins, const double* directions,
               std::size_t begin, std::size_t end, KeyedRay* keyed) {
  for (std::size_t i = begin; i < end; i += kBlock) {
    if (!make_block(frame, origins + 3 * i, directions + 3 * i, i, std::min(end - i, kBlock),
                    keyed + i)) {
      throw std::invalid_argument("rays must be finite, at most 1e100, and have a direction");
    }
  }
}

}  // namespace

Buffer<KeyedRay> order_rays(const Frame& frame, const double* origins, const double* directions,
                            std::size_t count, int workers) {
  return order_by_key<KeyedRay>(count, workers,
                                [&](std::size_t begin, std::size_t end, KeyedRay* keyed) {
                                  make_keys(frame, origins, directions, begin, end, keyed);
                                });
}

}  // namespace impinge::bvh
