#include "raster/cells.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "raster/seen.hpp"

namespace impinge {
namespace {

constexpr std::uint32_t kNobody = 0, kSeveral = ~0u;
constexpr int kManyCells = 64;
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

bool is_large(const CellRange& range) {
  int cells = 1;
  for (int k = 0; k < 3; ++k) cells *= range.high(k) - range.low[k] + 1;
  return cells > kManyCells;
}

// At most two cells along each axis, as nearly all faces.
bool is_small(const CellRange& range) {
  const auto more = [&](int k) { return range.high(k) - range.low[k]; };
  return (more(0) | more(1) | more(2)) <= 1;
}

}  // namespace

Cells::Cells(int bits, std::int32_t resolution)
    : coarser_(std::min(kCoarser, bits)),
      fine_places_(places_of(bits)),
      coarse_places_(places_of(bits - coarser_)),
      fine_(zeroed(std::size_t{1} << (3 * bits))),
      coarse_(zeroed(std::size_t{1} << (3 * (bits - coarser_)))) {
  for (int k = 0; k < 3; ++k) {
    last_[k] = (k < 2 ? resolution << kSubpixelBits : 1 << kDepthBits) - 1;
    shift_[k] = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(last_[k]))) - bits;
  }
}

Cells::Cell* Cells::zeroed(std::size_t count) {
  static_assert(sizeof(Cell) == sizeof(std::uint32_t) && kNobody == 0);
  auto* cells = static_cast<std::uint32_t*>(std::calloc(count, sizeof(Cell)));
  if (!cells) throw std::bad_alloc();
  return reinterpret_cast<Cell*>(cells);
}

// Blocks of four cells along each axis, then the blocks row by row.
Cells::Places Cells::places_of(int bits) {
  constexpr int kBlock = 2;
  const int inner = std::min(kBlock, bits), outer = bits - inner;
  Places places{};
  for (int k = 0; k < 3; ++k) {
    for (std::uint32_t i = 0; i < 1u << bits; ++i) {
      const std::uint32_t within = i & ((1u << inner) - 1), block = i >> inner;
      places[k][i] = within << (k * inner) | block << (3 * inner + k * outer);
    }
  }
  return places;
}

CellRange Cells::range_of(const std::int32_t* snapped) const {
  CellRange range{};
  for (int k = 0; k < 3; ++k) {
    const std::int32_t slack = k < 2 ? 1 : kDepthSlack;
    const std::int32_t low = std::max(snapped[k] - slack, 0) >> shift_[k];
    const std::int32_t high = std::min(snapped[k] + slack, last_[k]) >> shift_[k];
    range.low[k] = static_cast<std::uint8_t>(low);
    range.rest[k] = static_cast<std::uint8_t>(255 - high);
  }
  return range;
}

// Looks at all corners of the range, the same cell twice or not: that is quicker than to find out.
template <class F>
bool Cells::any_of_eight(const CellRange& range, F&& f) const {
  const std::uint32_t left = fine_places_[0][range.low[0]];
  const std::uint32_t right = fine_places_[0][range.high(0)];
  const std::uint32_t top = fine_places_[1][range.low[1]];
  const std::uint32_t bottom = fine_places_[1][range.high(1)];
  const auto either = [&](std::uint32_t row) {
    return f(fine_[row + left].load(std::memory_order_relaxed)) |
           f(fine_[row + right].load(std::memory_order_relaxed));
  };
  const auto layer = [&](std::uint32_t z) { return either(z + top) | either(z + bottom); };
  return layer(fine_places_[2][range.low[2]]) | layer(fine_places_[2][range.high(2)]);
}

template <class F>
bool Cells::any(const CellRange& range, const Places& places, int coarser, F&& f) {
  const auto low = [&](int k) { return range.low[k] >> coarser; };
  const auto high = [&](int k) { return range.high(k) >> coarser; };
  for (int z = low(2); z <= high(2); ++z) {
    for (int y = low(1); y <= high(1); ++y) {
      const std::uint32_t row = places[2][z] + places[1][y];
      for (int x = low(0); x <= high(0); ++x) {
        if (f(row + places[0][x])) return true;
      }
    }
  }
  return false;
}

void Cells::mark(const CellRange& range, std::int32_t body) {
  const std::uint32_t name = name_of(body);
  const auto is_new = [name](std::uint32_t held) { return (held != name) & (held != kSeveral); };
  if (is_small(range) && !any_of_eight(range, is_new)) return;
  if (!is_large(range)) {
    any(range, fine_places_, 0, [this, name](std::uint32_t at) {
      put(fine_[at], name);
      return false;
    });
    return;
  }
  any_large_.store(true, std::memory_order_relaxed);
  any(range, coarse_places_, coarser_, [this, name](std::uint32_t at) {
    put(coarse_[at], name);
    return false;
  });
}

bool Cells::shared(const CellRange& range, std::int32_t body) const {
  // Which small faces a large one may meet is not looked up: it is kept.
  if (is_large(range)) return true;
  const auto is_shared = [](std::uint32_t held) { return held == kSeveral; };
  const bool near = is_small(range) ? any_of_eight(range, is_shared)
                                    : any(range, fine_places_, 0, [&](std::uint32_t at) {
                                        return is_shared(fine_[at].load(std::memory_order_relaxed));
                                      });
  if (near || !any_large_.load(std::memory_order_relaxed)) return near;
  return any(range, coarse_places_, coarser_, [&](std::uint32_t at) {
    const std::uint32_t name = coarse_[at].load(std::memory_order_relaxed);
    return name != kNobody && name != name_of(body);
  });
}

}  // namespace impinge
