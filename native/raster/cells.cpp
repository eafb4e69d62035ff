#include "raster/cells.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "raster/seen.hpp"

namespace impinge::raster {
namespace {

constexpr std::uint32_t kManyCells = 64;
constexpr int kCoarser = 3;

// As much as the depths of a triangle are widened when pixels are judged.
constexpr std::int32_t kDepthSlack = 4;

bool is_large(const CellBox& box) {
  std::uint32_t cells = 1;
  for (int k = 0; k < 3; ++k) cells *= box.high[k] - box.low[k] + 1;
  return cells > kManyCells;
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
    range.bytes[k] = static_cast<std::uint8_t>(low);
    range.bytes[4 + k] = static_cast<std::uint8_t>(255 - high);
  }
  return range;
}

template <class F>
bool Cells::any(const CellBox& box, const Places& places, int coarser, F&& f) {
  const auto low = [&](int k) { return box.low[k] >> coarser; };
  const auto high = [&](int k) { return box.high[k] >> coarser; };
  for (std::uint32_t z = low(2); z <= high(2); ++z) {
    for (std::uint32_t y = low(1); y <= high(1); ++y) {
      const std::uint32_t row = places[2][z] + places[1][y];
      for (std::uint32_t x = low(0); x <= high(0); ++x) {
        if (f(row + places[0][x])) return true;
      }
    }
  }
  return false;
}

void Cells::mark_each(const CellBox& box, std::uint32_t name) {
  const bool large = is_large(box);
  if (large) any_large_.store(true, std::memory_order_relaxed);
  Cell* cells = large ? coarse_.get() : fine_.get();
  const auto put = [cells, name](std::uint32_t at) {
    std::uint32_t held = cells[at].load(std::memory_order_relaxed);
    while (held != name && held != kSeveral) {
      const std::uint32_t next = held == kNobody ? name : kSeveral;
      if (cells[at].compare_exchange_weak(held, next, std::memory_order_relaxed)) break;
    }
    return false;
  };
  any(box, large ? coarse_places_ : fine_places_, large ? coarser_ : 0, put);
}

bool Cells::shared_any(const CellBox& box, std::uint32_t name) const {
  // Which small faces a large one may meet is not looked up: it is kept.
  if (is_large(box)) return true;
  const auto held = [](const Cell& cell) { return cell.load(std::memory_order_relaxed); };
  return any(box, fine_places_, 0, [&](std::uint32_t at) { return held(fine_[at]) == kSeveral; }) ||
         any(box, coarse_places_, coarser_, [&](std::uint32_t at) {
           return held(coarse_[at]) != kNobody && held(coarse_[at]) != name;
         });
}

}  // namespace impinge::raster
