#include "sparse/pulls.hpp"

#include <cmath>

#include "base/pool.hpp"

namespace impinge::sparse {
namespace {

constexpr std::size_t kGrain = 4096;

double length(const float* v) {
  const double x = v[0], y = v[1], z = v[2];
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

Pulls::Pulls(const Rows& matrix, double factor, std::size_t nodes) {
  for (std::size_t i = 0; i + 1 < matrix.starts.size(); ++i) {
    const std::size_t first = entries_.size();
    const auto end = static_cast<std::size_t>(matrix.starts[i + 1]);
    for (auto at = static_cast<std::size_t>(matrix.starts[i]); at < end; ++at) {
      float along[3] = {0, 0, 0};
      along[matrix.columns[at] % 3] = static_cast<float>(factor * matrix.values[at]);
      append(matrix.columns[at] / 3, along, first);
    }
    starts_.push_back(entries_.size());
  }
  order_by_node(nodes);
}

Pulls Pulls::coarser(std::span<const std::int32_t> aggregates, std::span<const char> held,
                     std::size_t count) const {
  Pulls result;
  for (std::size_t i = 0; i < rows(); ++i) {
    const std::size_t first = result.entries_.size();
    for (const Entry& entry : row(i)) {
      const auto node = static_cast<std::size_t>(entry.node);
      if (!held[node]) result.append(aggregates[node], entry.along, first);
    }
    result.starts_.push_back(result.entries_.size());
  }
  result.order_by_node(count);
  return result;
}

void Pulls::append(std::int32_t node, const float* along, std::size_t first) {
  for (std::size_t i = first; i < entries_.size(); ++i) {
    if (entries_[i].node != node) continue;
    for (int k = 0; k < 3; ++k) entries_[i].along[k] += along[k];
    return;
  }
  entries_.push_back({node, {along[0], along[1], along[2]}});
}

void Pulls::order_by_node(std::size_t nodes) {
  node_starts_.assign(nodes + 1, 0);
  for (const Entry& entry : entries_) ++node_starts_[static_cast<std::size_t>(entry.node) + 1];
  for (std::size_t i = 0; i < nodes; ++i) node_starts_[i + 1] += node_starts_[i];
  std::vector<std::size_t> next(node_starts_.begin(), node_starts_.end() - 1);
  places_.resize(entries_.size());
  for (std::size_t i = 0; i < rows(); ++i) {
    for (std::size_t at = starts_[i]; at < starts_[i + 1]; ++at) {
      const auto node = static_cast<std::size_t>(entries_[at].node);
      places_[next[node]++] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(at)};
    }
  }
}

void Pulls::bound(double* diagonal) const {
  for (std::size_t i = 0; i < rows(); ++i) {
    double sum = 0;
    for (const Entry& entry : row(i)) sum += length(entry.along);
    for (const Entry& entry : row(i)) {
      const double own = length(entry.along);
      if (!(own > 0)) continue;
      // (sum q_i x_i)^2 <= (sum |q_j|) (sum (q_i x_i)^2 / |q_i|), by Cauchy and Schwarz
      const double factor = sum / own;
      double* block = diagonal + 9 * static_cast<std::size_t>(entry.node);
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          block[3 * a + b] += factor * entry.along[a] * entry.along[b];
        }
      }
    }
  }
}

void Pulls::add_to(double* dense, std::size_t size) const {
  for (std::size_t i = 0; i < rows(); ++i) {
    for (const Entry& p : row(i)) {
      for (const Entry& q : row(i)) {
        for (std::size_t a = 0; a < 3; ++a) {
          double* to = dense + (3 * static_cast<std::size_t>(p.node) + a) * size;
          for (std::size_t b = 0; b < 3; ++b) {
            to[3 * static_cast<std::size_t>(q.node) + b] +=
                static_cast<double>(p.along[a]) * q.along[b];
          }
        }
      }
    }
  }
}

void Pulls::subtract_product(const float* vector, float* result, int workers) const {
  if (empty()) return;
  std::vector<float> gaps(rows());
  parallel_for(workers, rows(), kGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) {
      float gap = 0;
      for (const Entry& entry : row(i)) {
        const float* x = vector + 3 * static_cast<std::size_t>(entry.node);
        gap += entry.along[0] * x[0] + entry.along[1] * x[1] + entry.along[2] * x[2];
      }
      gaps[i] = gap;
    }
  });
  parallel_for(workers, node_starts_.size() - 1, kGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) {
      for (std::size_t at = node_starts_[i]; at < node_starts_[i + 1]; ++at) {
        const Entry& entry = entries_[static_cast<std::size_t>(places_[at].entry)];
        const float gap = gaps[static_cast<std::size_t>(places_[at].row)];
        for (int k = 0; k < 3; ++k)
          result[3 * i + static_cast<std::size_t>(k)] -= entry.along[k] * gap;
      }
    }
  });
}

}  // namespace impinge::sparse
