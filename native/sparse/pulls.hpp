// What contacts add to a matrix, Q^T Q with a row of Q for each contact, without multiplying it
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace impinge::sparse {

// A sparse matrix row by row, with 3 columns for each node.
struct Rows {
  std::span<const std::int32_t> starts, columns;
  std::span<const double> values;
};

class Pulls {
 public:
  Pulls() = default;
  Pulls(const Rows& matrix, double factor, std::size_t nodes);

  // The same contacts between aggregates; nodes that are held take no part.
  Pulls coarser(std::span<const std::int32_t> aggregates, std::span<const char> held,
                std::size_t count) const;

  bool empty() const { return entries_.empty(); }
  // Adds blocks to `diagonal`, 9 numbers for each node, that together are at least Q^T Q.
  void bound(double* diagonal) const;
  // Adds Q^T Q to a dense symmetric matrix of `size` rows.
  void add_to(double* dense, std::size_t size) const;
  // result -= Q^T Q vector, 3 numbers for each node.
  void subtract_product(const float* vector, float* result, int workers) const;

 private:
  struct Entry {
    std::int32_t node;
    float along[3];
  };
  struct Place {
    std::int32_t row, entry;
  };
  void append(std::int32_t node, const float* along, std::size_t first);
  void order_by_node(std::size_t nodes);
  std::span<const Entry> row(std::size_t i) const {
    return std::span(entries_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }
  std::size_t rows() const { return starts_.size() - 1; }

  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_{0};
  std::vector<Place> places_;  // of the entries, by node
  std::vector<std::size_t> node_starts_;
};

}  // namespace impinge::sparse
