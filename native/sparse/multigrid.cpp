#include "sparse/multigrid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/pool.hpp"

namespace impinge::sparse {
namespace {

constexpr std::size_t kGrain = 2048;
// Of a dense matrix that is factored.
constexpr std::size_t kMostDense = 400;
constexpr int kPowerSteps = 8;
// Times the largest eigenvalue that was seen, which may be a fifth too small: below 2, so that each
// step lessens every error.
constexpr double kDamping = 4.0 / 3.0;

// The inverse of a symmetric 3x3 block, or zero where it has none.
void invert(const double* b, float* result) {
  const double x = b[4] * b[8] - b[5] * b[7], y = b[5] * b[6] - b[3] * b[8],
               z = b[3] * b[7] - b[4] * b[6];
  const double determinant = b[0] * x + b[1] * y + b[2] * z;
  const double size = std::abs(b[0]) + std::abs(b[4]) + std::abs(b[8]);
  if (!(determinant > 1e-12 * size * size * size)) {
    // nearly flat: the diagonal alone
    std::fill_n(result, 9, 0.0f);
    for (int k = 0; k < 3; ++k) {
      const double own = b[4 * k];
      result[4 * k] = own > 0 ? static_cast<float>(1.0 / own) : 0.0f;
    }
    return;
  }
  const double f = 1.0 / determinant;
  const double inverse[9] = {x, b[2] * b[7] - b[1] * b[8], b[1] * b[5] - b[2] * b[4],
                             y, b[0] * b[8] - b[2] * b[6], b[2] * b[3] - b[0] * b[5],
                             z, b[1] * b[6] - b[0] * b[7], b[0] * b[4] - b[1] * b[3]};
  for (int k = 0; k < 9; ++k) result[k] = static_cast<float>(f * inverse[k]);
}

void multiply(const float* block, const float* v, float* result) {
  for (int k = 0; k < 3; ++k) {
    result[k] = block[3 * k] * v[0] + block[3 * k + 1] * v[1] + block[3 * k + 2] * v[2];
  }
}

// rest = right - blocks left, row by row in the order of the blocks.
void residual(const BlockPattern& pattern, const float* blocks, const float* right,
              const float* left, float* rest, int workers) {
  const std::int32_t* columns = pattern.columns().data();
  const std::int32_t* starts = pattern.starts().data();
  parallel_for(workers, pattern.rows(), kGrain, [&](std::size_t row, std::size_t end, int) {
    for (; row < end; ++row) {
      float x = 0, y = 0, z = 0;
      for (auto i = static_cast<std::size_t>(starts[row]);
           i < static_cast<std::size_t>(starts[row + 1]); ++i) {
        const float* b = blocks + 9 * i;
        const float* v = left + 3 * static_cast<std::size_t>(columns[i]);
        x += b[0] * v[0] + b[1] * v[1] + b[2] * v[2];
        y += b[3] * v[0] + b[4] * v[1] + b[5] * v[2];
        z += b[6] * v[0] + b[7] * v[1] + b[8] * v[2];
      }
      rest[3 * row] = right[3 * row] - x;
      rest[3 * row + 1] = right[3 * row + 1] - y;
      rest[3 * row + 2] = right[3 * row + 2] - z;
    }
  });
}

double largest(const double* values, std::size_t count) {
  double result = 0;
  for (std::size_t i = 0; i < count; ++i) result = std::max(result, std::abs(values[i]));
  return result;
}

}  // namespace

Multigrid::Multigrid(const Hierarchy& hierarchy, const double* blocks, const Rows& contacts,
                     double factor, std::vector<char> held, int workers)
    : hierarchy_(&hierarchy), levels_(hierarchy.coarsenings().size() + 1) {
  Level& finest = levels_.front();
  finest.pattern = &hierarchy.finest();
  finest.blocks.resize(9 * finest.pattern->count());
  const double most = largest(blocks, finest.blocks.size());
  if (most > 0 && std::isfinite(1.0 / most)) scale_ = 1.0 / most;
  parallel_for(workers, finest.blocks.size(), 9 * kGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) finest.blocks[i] = static_cast<float>(scale_ * blocks[i]);
  });
  finest.pulls = Pulls(contacts, factor * std::sqrt(scale_), finest.pattern->rows());
  finest.held = std::move(held);
  finish(finest, workers);
  for (std::size_t i = 1; i < levels_.size(); ++i) {
    coarsen(i, workers);
    finish(levels_[i], workers);
  }
  factor_coarsest();
}

// What follows from the blocks of a level.
void Multigrid::finish(Level& level, int workers) {
  const std::size_t n = level.pattern->rows();
  for (auto* each : {&level.right, &level.left, &level.rest}) each->assign(3 * n, 0.0f);
  std::vector<double> diagonal(9 * n, 0.0);
  for (std::size_t row = 0; row < n; ++row) {
    for (auto i = static_cast<std::size_t>(level.pattern->starts()[row]);
         i < static_cast<std::size_t>(level.pattern->starts()[row + 1]); ++i) {
      if (static_cast<std::size_t>(level.pattern->columns()[i]) != row) continue;
      for (std::size_t k = 0; k < 9; ++k) diagonal[9 * row + k] += level.blocks[9 * i + k];
    }
  }
  level.pulls.bound(diagonal.data());
  level.inverses.assign(9 * n, 0.0f);
  for (std::size_t row = 0; row < n; ++row) {
    if (!level.held[row]) invert(diagonal.data() + 9 * row, level.inverses.data() + 9 * row);
  }
  damp(level, workers);
}

// Scales the inverses so that a step with them lessens every error: the largest eigenvalue of the
// inverse diagonal times the matrix is found by the power method.
void Multigrid::damp(Level& level, int workers) {
  const std::size_t n = level.pattern->rows();
  std::vector<float> zero(3 * n, 0.0f);
  std::uint32_t state = 1;
  for (float& x : level.left) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  double eigenvalue = 1;
  for (int step = 0; step < kPowerSteps; ++step) {
    double before = 0, after = 0;
    for (const float x : level.left) before += static_cast<double>(x) * x;
    residual(*level.pattern, level.blocks.data(), zero.data(), level.left.data(), level.rest.data(),
             workers);
    level.pulls.subtract_product(level.left.data(), level.rest.data(), workers);
    for (std::size_t i = 0; i < n; ++i) {
      multiply(level.inverses.data() + 9 * i, level.rest.data() + 3 * i, level.left.data() + 3 * i);
    }
    for (const float x : level.left) after += static_cast<double>(x) * x;
    if (!(before > 0 && after > 0)) break;
    eigenvalue = std::sqrt(after / before);
    const auto shrink = static_cast<float>(1.0 / eigenvalue);
    for (float& x : level.left) x *= shrink;
  }
  const auto factor = static_cast<float>(kDamping / std::max(eigenvalue, 1.0));
  for (float& x : level.inverses) x *= factor;
}

// The blocks between aggregates are the sums of those between their members.
void Multigrid::coarsen(std::size_t index, int workers) {
  const Coarsening& to = hierarchy_->coarsenings()[index - 1];
  const Level& fine = levels_[index - 1];
  Level& coarse = levels_[index];
  coarse.pattern = &to.pattern;
  const std::size_t n = to.pattern.rows();
  coarse.held.assign(n, 1);
  for (std::size_t i = 0; i < to.aggregates.size(); ++i) {
    if (!fine.held[i]) coarse.held[static_cast<std::size_t>(to.aggregates[i])] = 0;
  }
  coarse.pulls = fine.pulls.coarser(to.aggregates, fine.held, n);
  coarse.blocks.assign(9 * to.pattern.count(), 0.0f);
  parallel_for(workers, n, kGrain / 8, [&](std::size_t row, std::size_t end, int) {
    for (; row < end; ++row) {
      for (const std::int32_t node : to.members_of(row)) {
        const auto i = static_cast<std::size_t>(node);
        if (fine.held[i]) continue;
        for (auto at = static_cast<std::size_t>(fine.pattern->starts()[i]);
             at < static_cast<std::size_t>(fine.pattern->starts()[i + 1]); ++at) {
          if (fine.held[static_cast<std::size_t>(fine.pattern->columns()[at])]) continue;
          float* sum = coarse.blocks.data() + 9 * static_cast<std::size_t>(to.places[at]);
          for (std::size_t k = 0; k < 9; ++k) sum[k] += fine.blocks[9 * at + k];
        }
      }
    }
  });
}

void Multigrid::factor_coarsest() {
  const Level& level = levels_.back();
  const std::size_t n = level.pattern->rows(), size = 3 * n;
  if (size > kMostDense) return;
  std::vector<double> a(size * size, 0.0);
  for (std::size_t row = 0; row < n; ++row) {
    for (auto i = static_cast<std::size_t>(level.pattern->starts()[row]);
         i < static_cast<std::size_t>(level.pattern->starts()[row + 1]); ++i) {
      const auto column = static_cast<std::size_t>(level.pattern->columns()[i]);
      for (std::size_t k = 0; k < 9; ++k) {
        a[(3 * row + k / 3) * size + 3 * column + k % 3] += level.blocks[9 * i + k];
      }
    }
  }
  level.pulls.add_to(a.data(), size);
  for (std::size_t row = 0; row < size; ++row) {
    if (!level.held[row / 3]) continue;
    for (std::size_t k = 0; k < size; ++k) a[row * size + k] = a[k * size + row] = 0.0;
    a[row * size + row] = 1.0;
  }
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      const double f = a[j * size + k];
      for (std::size_t i = j; i < size; ++i) a[i * size + j] -= f * a[i * size + k];
    }
    // sums in single precision may not be positive any more: then Jacobi steps must do
    if (!(a[j * size + j] > 0)) return;
    const double root = std::sqrt(a[j * size + j]);
    for (std::size_t i = j; i < size; ++i) a[i * size + j] /= root;
  }
  factor_ = std::move(a);
}

void Multigrid::solve_coarsest() {
  Level& level = levels_.back();
  const std::size_t size = 3 * level.pattern->rows();
  std::vector<double> x(level.right.begin(), level.right.end());
  for (std::size_t i = 0; i < size; ++i) {
    if (level.held[i / 3]) x[i] = 0.0;
    for (std::size_t k = 0; k < i; ++k) x[i] -= factor_[i * size + k] * x[k];
    x[i] /= factor_[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) x[i] -= factor_[k * size + i] * x[k];
    x[i] /= factor_[i * size + i];
    level.left[i] = static_cast<float>(x[i]);
  }
}

void Multigrid::cycle(std::size_t index, int workers) {
  Level& level = levels_[index];
  const bool last = index + 1 == levels_.size();
  if (last && !factor_.empty()) {
    solve_coarsest();
    return;
  }
  const std::size_t n = level.pattern->rows();
  const auto smooth = [&](const float* from, bool fresh) {
    parallel_for(workers, n, kGrain, [&](std::size_t i, std::size_t end, int) {
      for (; i < end; ++i) {
        float step[3];
        multiply(level.inverses.data() + 9 * i, from + 3 * i, step);
        for (std::size_t k = 0; k < 3; ++k) {
          level.left[3 * i + k] = fresh ? step[k] : level.left[3 * i + k] + step[k];
        }
      }
    });
  };
  const auto find_rest = [&] {
    residual(*level.pattern, level.blocks.data(), level.right.data(), level.left.data(),
             level.rest.data(), workers);
    level.pulls.subtract_product(level.left.data(), level.rest.data(), workers);
  };
  smooth(level.right.data(), true);
  find_rest();
  if (!last) {
    const Coarsening& to = hierarchy_->coarsenings()[index];
    Level& coarse = levels_[index + 1];
    for (std::size_t a = 0; a < to.pattern.rows(); ++a) {
      float sum[3] = {0, 0, 0};
      for (const std::int32_t node : to.members_of(a)) {
        const auto i = static_cast<std::size_t>(node);
        if (level.held[i]) continue;
        for (std::size_t k = 0; k < 3; ++k) sum[k] += level.rest[3 * i + k];
      }
      std::copy_n(sum, 3, coarse.right.data() + 3 * a);
    }
    cycle(index + 1, workers);
    for (std::size_t i = 0; i < n; ++i) {
      if (level.held[i]) continue;
      const float* from = coarse.left.data() + 3 * static_cast<std::size_t>(to.aggregates[i]);
      for (std::size_t k = 0; k < 3; ++k) level.left[3 * i + k] += from[k];
    }
    find_rest();
  }
  // as often as before, so that the whole is symmetric
  smooth(level.rest.data(), false);
}

void Multigrid::apply(const double* vector, double* result, int workers) {
  Level& finest = levels_.front();
  const std::size_t count = finest.right.size();
  // single precision has no very large and no very small numbers
  const double size = largest(vector, count);
  const double factor = size > 0 && std::isfinite(1.0 / size) ? 1.0 / size : 0.0;
  for (std::size_t i = 0; i < count; ++i) finest.right[i] = static_cast<float>(factor * vector[i]);
  cycle(0, workers);
  for (std::size_t i = 0; i < count; ++i) result[i] = scale_ * size * finest.left[i];
}

}  // namespace impinge::sparse
