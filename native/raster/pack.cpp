#include "raster/pack.hpp"

#include <algorithm>

namespace impinge::raster {
namespace {

bool is_empty(const std::int32_t* box) { return (box[0] | box[1] | box[2] | box[3]) == 0; }

Packed with_boxes(std::vector<std::int32_t> ids, const std::int32_t* sparse) {
  Packed packed{std::move(ids), {}};
  packed.boxes.resize(4 * packed.ids.size());
  for (std::size_t i = 0; i < packed.ids.size(); ++i) {
    std::copy_n(sparse + 4 * std::size_t(packed.ids[i]), 4, packed.boxes.data() + 4 * i);
  }
  return packed;
}

}  // namespace

Packed pack_by_scan(const std::int32_t* sparse, std::size_t n) {
  // A box that is empty is overwritten by the next one.
  std::vector<std::int32_t> ids(n + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ids[count] = static_cast<std::int32_t>(i);
    count += !is_empty(sparse + 4 * i);
  }
  ids.resize(count);
  return with_boxes(std::move(ids), sparse);
}

Packed pack_by_sweep(const std::int32_t* sparse, std::size_t n, std::size_t width) {
  constexpr std::int32_t kNone = -1;
  const std::size_t rows = (n + width - 1) / width;
  const auto holds = [&](std::size_t row, std::size_t column) {
    const std::size_t at = row * width + column;
    return at < n && !is_empty(sparse + 4 * at);
  };

  // Counting.
  std::vector<std::size_t> counts(rows, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < width; ++column) counts[row] += holds(row, column);
  }
  const std::size_t longest = rows ? *std::max_element(counts.begin(), counts.end()) : 0;

  // Shifting: from left to right the nearest box before each column, then from right to left from
  // one box to the next. Rows end up at the right, in their order.
  std::vector<std::int32_t> before(rows * width), shifted(rows * longest);
  for (std::size_t row = 0; row < rows; ++row) {
    std::int32_t* previous = before.data() + row * width;
    for (std::size_t column = 0; column < width; ++column) {
      previous[column] = column == 0              ? kNone
                         : holds(row, column - 1) ? static_cast<std::int32_t>(column - 1)
                                                  : previous[column - 1];
    }
    const std::size_t last = width - 1;
    std::int32_t at = holds(row, last) ? static_cast<std::int32_t>(last) : previous[last];
    for (std::size_t step = 0; step < longest; ++step) {
      shifted[row * longest + longest - 1 - step] = at;
      at = at == kNone ? kNone : previous[at];
    }
  }

  // Moving: one line per row, behind the lines of the rows above.
  std::vector<std::int32_t> ids;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto end = shifted.begin() + static_cast<std::ptrdiff_t>((row + 1) * longest);
    for (auto it = end - static_cast<std::ptrdiff_t>(counts[row]); it != end; ++it) {
      ids.push_back(static_cast<std::int32_t>(row * width) + *it);
    }
  }
  return with_boxes(std::move(ids), sparse);
}

}  // namespace impinge::raster
