#include "raster/cull.hpp"

#include <algorithm>
#include <bit>

namespace impinge {
namespace {

constexpr std::uint32_t kNobody = 0, kSeveral = ~0u;
constexpr std::size_t kManyCells = 64;
constexpr int kMostBits = 7;
constexpr int kCoarser = 3;

// As much as the depths of a triangle are widened when pixels are judged.
constexpr std::int32_t kDepthSlack = 4;

std::uint32_t name_of(std::int32_t body) { return static_cast<std::uint32_t>(body) + 1; }

void put(std::atomic<std::uint32_t>& cell, std::uint32_t name) {
  std::uint32_t held = cell.load(std::memory_order_relaxed);
  while (held != name && held != kSeveral) {
    const std::uint32_t next = held == kNobody ? name : kSeveral;
    if (cell.compare_exchange_weak(held, next, std::memory_order_relaxed)) return;
  }
}

// Cells a few times as wide as a typical triangle, which are a few pixels; fewer for few faces.
int bits_for(std::size_t faces, std::int32_t resolution) {
  const auto wanted = static_cast<int>(std::bit_width(faces) / 2) - 2;
  const int pixels = std::countr_zero(static_cast<std::uint32_t>(resolution));
  return std::clamp(wanted, 1, std::min(kMostBits, pixels));
}

}  // namespace

Cells::Cells(std::size_t faces, std::int32_t resolution)
    : resolution_(resolution),
      fine_bits_(bits_for(faces, resolution)),
      coarse_bits_(std::max(0, fine_bits_ - kCoarser)),
      fine_(std::size_t{1} << (3 * fine_bits_)),
      coarse_(std::size_t{1} << (3 * coarse_bits_)) {}

Cells::Range Cells::range(const Corners& c, int bits) const {
  const int shift = std::countr_zero(static_cast<std::uint32_t>(resolution_)) - bits;
  const auto depth = [bits](std::int32_t z) {
    return std::clamp(z, 0, (1 << kDepthBits) - 1) >> (kDepthBits - bits);
  };
  const auto pixel = [this, shift](std::int32_t x) { return pixel_of(x, resolution_) >> shift; };
  return {{pixel(c.left() - 1), pixel(c.top() - 1), depth(c.nearest() - kDepthSlack)},
          {pixel(c.right() + 1), pixel(c.bottom() + 1), depth(c.farthest() + kDepthSlack)}};
}

template <class F>
bool Cells::any(const Range& range, int bits, F&& f) {
  for (std::int32_t z = range.low[2]; z <= range.high[2]; ++z) {
    for (std::int32_t y = range.low[1]; y <= range.high[1]; ++y) {
      const std::size_t row = ((static_cast<std::size_t>(z) << bits) + y) << bits;
      for (std::int32_t x = range.low[0]; x <= range.high[0]; ++x) {
        if (f(row + x)) return true;
      }
    }
  }
  return false;
}

void Cells::mark(const Corners& corners, std::int32_t body) {
  const Range fine = range(corners, fine_bits_);
  const bool large = fine.size() > kManyCells;
  const int bits = large ? coarse_bits_ : fine_bits_;
  Cell* cells = large ? coarse_.data() : fine_.data();
  any(large ? range(corners, bits) : fine, bits, [=](std::size_t at) {
    put(cells[at], name_of(body));
    return false;
  });
}

bool Cells::shared(const Corners& corners, std::int32_t body) const {
  const Range fine = range(corners, fine_bits_);
  // Which small faces a large one may meet is not looked up: it is kept.
  if (fine.size() > kManyCells) return true;
  const auto held = [](const Cell& cell) { return cell.load(std::memory_order_relaxed); };
  return any(fine, fine_bits_, [&](std::size_t at) { return held(fine_[at]) == kSeveral; }) ||
         any(range(corners, coarse_bits_), coarse_bits_, [&](std::size_t at) {
           const std::uint32_t name = held(coarse_[at]);
           return name != kNobody && name != name_of(body);
         });
}

}  // namespace impinge
