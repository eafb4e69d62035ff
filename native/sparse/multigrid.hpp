// An approximate inverse of a symmetric positive definite matrix of 3x3 blocks, for conjugate
// gradients: one V-cycle over aggregates of nodes, with damped block-Jacobi steps on every level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/hierarchy.hpp"
#include "sparse/pulls.hpp"

namespace impinge::sparse {

class Multigrid {
 public:
  // The matrix is that of `blocks` on the finest pattern and of the contacts, Q^T Q for the rows
  // times a factor; nodes that are `held` have no row. All is kept in single precision: it only
  // guides the iteration. The hierarchy must outlive this.
  Multigrid(const Hierarchy& hierarchy, const double* blocks, const Rows& contacts, double factor,
            std::vector<char> held, int workers);

  std::size_t rows() const { return hierarchy_->finest().rows(); }
  // result = about the inverse times `vector`, 3 numbers for each node; the same for all workers.
  void apply(const double* vector, double* result, int workers);

 private:
  struct Level {
    const BlockPattern* pattern;
    std::vector<float> blocks;    // 9 for each place
    std::vector<float> inverses;  // damped, of the diagonal blocks; 0 where held
    std::vector<char> held;
    Pulls pulls;
    std::vector<float> right, left, rest;  // of the cycle, 3 for each node
  };

  void finish(Level& level, int workers);
  void damp(Level& level, int workers);
  void coarsen(std::size_t index, int workers);
  void factor_coarsest();
  void cycle(std::size_t index, int workers);
  void solve_coarsest();

  const Hierarchy* hierarchy_;
  double scale_ = 1;  // of the matrix, so that its numbers fit
  std::vector<Level> levels_;
  std::vector<double> factor_;  // of Cholesky, of the coarsest level; empty where that is large
};

}  // namespace impinge::sparse
