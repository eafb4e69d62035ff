#include "weld.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <vector>

#include "memory/block.hpp"
#include "parallel/pool.hpp"
#include "point_hash.hpp"
#include "simd/lanes.hpp"
#include "vec.hpp"

namespace impinge {
namespace {

constexpr std::size_t kAhead = 16;  // slots asked for before they are looked at
constexpr std::size_t kGrain = 4096;

// A table of vertices, filled by all workers at once. A slot holds one more than the smallest
// index of its vertex.
class Table {
 public:
  Table(const double* vertices, std::size_t n, bool shared)
      : vertices_(vertices),
        shared_(shared),
        size_(std::bit_ceil(2 * n + 1)),
        slots_(make_block<std::atomic<std::uint32_t>>(size_)) {
    std::uninitialized_value_construct_n(slots_.get(), size_);
  }

  // Whether an equal vertex was there.
  bool insert(std::size_t i, std::uint64_t h) {
    const auto mine = static_cast<std::uint32_t>(i + 1);
    for (std::size_t at = h & mask();; at = (at + 1) & mask()) {
      std::uint32_t slot = slots_[at].load(std::memory_order_relaxed);
      if (slot == 0 && replace(at, slot, mine)) return false;
      if (!holds(slot, i)) continue;
      while (slot > mine && !replace(at, slot, mine)) {
      }
      return true;
    }
  }
  std::int32_t find(std::size_t i) const {
    for (std::size_t at = point_hash(vertices_ + 3 * i) & mask();; at = (at + 1) & mask()) {
      const std::uint32_t slot = slots_[at].load(std::memory_order_relaxed);
      if (slot == 0) return static_cast<std::int32_t>(i);  // not a number, so equal to nothing
      if (holds(slot, i)) return static_cast<std::int32_t>(slot - 1);
    }
  }
  void fetch(std::uint64_t h) const { prefetch(&slots_[h & mask()], sizeof(slots_[0])); }

 private:
  std::size_t mask() const { return size_ - 1; }
  bool holds(std::uint32_t slot, std::size_t i) const {
    return same_point(vertices_ + 3 * std::size_t{slot - 1}, vertices_ + 3 * i);
  }
  // On failure `slot` is what another worker wrote.
  bool replace(std::size_t at, std::uint32_t& slot, std::uint32_t mine) {
    if (shared_) return slots_[at].compare_exchange_strong(slot, mine, std::memory_order_relaxed);
    slots_[at].store(mine, std::memory_order_relaxed);
    return true;
  }

  const double* vertices_;
  bool shared_;
  std::size_t size_;
  Block<std::atomic<std::uint32_t>> slots_;
};

}  // namespace

std::vector<std::int32_t> weld(const double* vertices, std::size_t n, int workers) {
  Table table(vertices, n, workers > 1 && n > kGrain);
  std::atomic<bool> any_equal{false};
  parallel_for(workers, n, kGrain, [&](std::size_t begin, std::size_t end, int) {
    bool equal = false;
    for (; begin < end; begin += kAhead) {
      const std::size_t last = std::min(end, begin + kAhead);
      std::uint64_t hashes[kAhead];
      for (std::size_t i = begin; i < last; ++i) {
        hashes[i - begin] = point_hash(vertices + 3 * i);
        table.fetch(hashes[i - begin]);
      }
      for (std::size_t i = begin; i < last; ++i) equal |= table.insert(i, hashes[i - begin]);
    }
    if (equal) any_equal.store(true, std::memory_order_relaxed);
  });
  std::vector<std::int32_t> first;
  if (!any_equal.load(std::memory_order_relaxed)) return first;
  first.resize(n);
  parallel_for(workers, n, kGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) first[i] = table.find(i);
  });
  return first;
}

void transform(const double* pose, const double* vertices, std::size_t n, double* moved) {
  for (std::size_t i = 0; i < n; ++i) transform_point(pose, vertices + 3 * i, moved + 3 * i);
}

}  // namespace impinge
