#include "sparse/block_pattern.hpp"

#include <algorithm>
#include <utility>

#include "base/pool.hpp"

namespace impinge::sparse {
namespace {

// Rows that are worth another thread's help: some 70 us, since a solver asks a hundred times in a
// step, and waits each time for a thread that is out of luck.
constexpr std::size_t kGrain = 2048;

}  // namespace

BlockPattern::BlockPattern(std::vector<std::int32_t> columns, std::vector<std::int32_t> starts)
    : columns_(std::move(columns)), starts_(std::move(starts)) {}

bool BlockPattern::valid() const {
  if (starts_.empty() || starts_.front() != 0) return false;
  const auto end = static_cast<std::size_t>(starts_.back());
  return std::is_sorted(starts_.begin(), starts_.end()) && end == columns_.size() &&
         std::all_of(columns_.begin(), columns_.end(), [&](std::int32_t column) {
           return column >= 0 && static_cast<std::size_t>(column) < rows();
         });
}

void BlockPattern::product(const double* blocks, const double* vector, double* result,
                           int workers) const {
  parallel_for(workers, rows(), kGrain, [&](std::size_t row, std::size_t end, int) {
    for (; row < end; ++row) {
      double x = 0, y = 0, z = 0;
      const auto last = static_cast<std::size_t>(starts_[row + 1]);
      for (auto i = static_cast<std::size_t>(starts_[row]); i < last; ++i) {
        const double* b = blocks + 9 * i;
        const double* v = vector + 3 * static_cast<std::size_t>(columns_[i]);
        // the products first, so that a block waits for the one before it only once
        x += b[0] * v[0] + b[1] * v[1] + b[2] * v[2];
        y += b[3] * v[0] + b[4] * v[1] + b[5] * v[2];
        z += b[6] * v[0] + b[7] * v[1] + b[8] * v[2];
      }
      result[3 * row] = x;
      result[3 * row + 1] = y;
      result[3 * row + 2] = z;
    }
  });
}

}  // namespace impinge::sparse
