#include "sparse/hierarchy.hpp"

#include <algorithm>
#include <utility>

namespace impinge::sparse {
namespace {

// So few nodes are solved directly.
constexpr std::size_t kCoarsest = 60;

using Indices = std::vector<std::int32_t>;

std::span<const std::int32_t> row_of(const BlockPattern& pattern, std::size_t row) {
  const auto first = static_cast<std::size_t>(pattern.starts()[row]);
  const auto last = static_cast<std::size_t>(pattern.starts()[row + 1]);
  return std::span(pattern.columns()).subspan(first, last - first);
}

// Nodes whose neighbours are all free become an aggregate with them; the nodes between these join
// one beside them. Returns how many there are.
std::size_t aggregate(const BlockPattern& pattern, Indices& aggregates) {
  const std::size_t n = pattern.rows();
  aggregates.assign(n, -1);
  std::int32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto around = row_of(pattern, i);
    const auto taken = [&](std::int32_t j) { return aggregates[static_cast<std::size_t>(j)] >= 0; };
    if (aggregates[i] >= 0 || std::any_of(around.begin(), around.end(), taken)) continue;
    for (const std::int32_t j : around) aggregates[static_cast<std::size_t>(j)] = count;
    aggregates[i] = count++;
  }
  // only what the first pass made is joined, so that no aggregate grows into a chain
  Indices joined = aggregates;
  for (std::size_t i = 0; i < n; ++i) {
    if (aggregates[i] >= 0) continue;
    for (const std::int32_t j : row_of(pattern, i)) {
      if (aggregates[static_cast<std::size_t>(j)] < 0) continue;
      joined[i] = aggregates[static_cast<std::size_t>(j)];
      break;
    }
    // in a pattern that is not symmetric a node may have none
    if (joined[i] < 0) joined[i] = count++;
  }
  aggregates = std::move(joined);
  return static_cast<std::size_t>(count);
}

// The columns of all coarser rows, and where each finer block is added.
BlockPattern coarser(const BlockPattern& fine, Coarsening& to, std::size_t count) {
  Indices columns, starts{0}, place_of(count, -1);
  to.places.resize(fine.count());
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t first = columns.size();
    for (const std::int32_t node : to.members_of(row)) {
      const auto i = static_cast<std::size_t>(node);
      const auto end = static_cast<std::size_t>(fine.starts()[i + 1]);
      for (auto at = static_cast<std::size_t>(fine.starts()[i]); at < end; ++at) {
        const auto column = static_cast<std::size_t>(fine.columns()[at]);
        const std::int32_t target = to.aggregates[column];
        std::int32_t& place = place_of[static_cast<std::size_t>(target)];
        if (place < static_cast<std::int32_t>(first)) {
          place = static_cast<std::int32_t>(columns.size());
          columns.push_back(target);
        }
        to.places[at] = place;
      }
    }
    starts.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return BlockPattern(std::move(columns), std::move(starts));
}

Coarsening coarsened(const BlockPattern& fine) {
  Coarsening result{{}, {}, {}, {}, BlockPattern({}, {0})};
  const std::size_t count = aggregate(fine, result.aggregates);
  result.starts.assign(count + 1, 0);
  for (const std::int32_t a : result.aggregates) ++result.starts[static_cast<std::size_t>(a) + 1];
  for (std::size_t a = 0; a < count; ++a) result.starts[a + 1] += result.starts[a];
  Indices next(result.starts.begin(), result.starts.end() - 1);
  result.members.resize(fine.rows());
  for (std::size_t i = 0; i < fine.rows(); ++i) {
    const auto a = static_cast<std::size_t>(result.aggregates[i]);
    result.members[static_cast<std::size_t>(next[a]++)] = static_cast<std::int32_t>(i);
  }
  result.pattern = coarser(fine, result, count);
  return result;
}

}  // namespace

Hierarchy::Hierarchy(const BlockPattern& finest) : finest_(finest) {
  while (true) {
    const BlockPattern& last = coarsenings_.empty() ? finest_ : coarsenings_.back().pattern;
    if (last.rows() <= kCoarsest) return;
    Coarsening next = coarsened(last);
    // many bodies that no element joins do not get fewer
    if (4 * next.pattern.rows() > 3 * last.rows()) return;
    coarsenings_.push_back(std::move(next));
  }
}

}  // namespace impinge::sparse
