// A sparse matrix of 3x3 blocks, as the stiffness of soft bodies is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impinge::sparse {

// Which blocks are not zero, row by row. Their values change in every step and stay outside.
class BlockPattern {
 public:
  // `starts` has where the blocks of each row begin, and the end of the last.
  BlockPattern(std::vector<std::int32_t> columns, std::vector<std::int32_t> starts);

  std::size_t rows() const { return starts_.size() - 1; }
  std::size_t count() const { return columns_.size(); }
  const std::vector<std::int32_t>& columns() const { return columns_; }
  const std::vector<std::int32_t>& starts() const { return starts_; }
  // Whether every block belongs to a row and a column of the square matrix.
  bool valid() const;

  // The matrix of `blocks`, 9 numbers each, times `vector`, 3 numbers for each row. Every row is
  // summed in the order of its blocks, whatever the number of workers.
  void product(const double* blocks, const double* vector, double* result, int workers) const;

 private:
  std::vector<std::int32_t> columns_, starts_;
};

}  // namespace impinge::sparse
