#include "mesh/weld.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/pool.hpp"
#include "geometry/vec.hpp"
#include "mesh/point_hash.hpp"

namespace impinge {
namespace {

constexpr std::size_t kLeastGrain = 4096, kGrainsEach = 2;
// So many vertices, about, are one part: its table stays in the nearest cache.
constexpr std::size_t kPart = 512, kMostParts = 1024;

struct Hashed {
  std::uint32_t hash;
  std::int32_t vertex;
};

struct Equal {
  std::int32_t vertex, first;
};

// All vertices in parts by some bits of their hashes, so that equal ones meet in one part, each
// part in the order of the vertices. No two workers write to the same part of a table.
class Parts {
 public:
  Parts(const double* vertices, std::size_t n, int workers)
      : count_(std::min(kMostParts, std::bit_ceil(n / kPart + 1))) {
    const std::size_t shares = kGrainsEach * static_cast<std::size_t>(workers);
    const std::size_t grain = std::max(kLeastGrain, (n + shares - 1) / shares);
    const std::size_t grains = (n + grain - 1) / grain;
    Buffer<std::uint32_t> hashes;
    hashes.resize(n);
    hashed_.resize(n);
    std::vector<std::size_t> starts(grains * count_, 0);
    const auto each_grain = [&](auto f) {
      parallel_for(workers, grains, 1, [&](std::size_t g, std::size_t last, int) {
        for (; g < last; ++g) f(g * grain, std::min(n, (g + 1) * grain), &starts[g * count_]);
      });
    };
    each_grain([&](std::size_t i, std::size_t end, std::size_t* counts) {
      for (; i < end; ++i) {
        hashes[i] = static_cast<std::uint32_t>(point_hash(vertices + 3 * i));
        ++counts[part_of(hashes[i])];
      }
    });
    std::size_t sum = 0;
    for (std::size_t part = 0; part < count_; ++part) {
      for (std::size_t g = 0; g < grains; ++g) {
        sum += std::exchange(starts[g * count_ + part], sum);
      }
      ends_.push_back(sum);
    }
    each_grain([&](std::size_t i, std::size_t end, std::size_t* places) {
      for (; i < end; ++i) {
        hashed_[places[part_of(hashes[i])]++] = {hashes[i], static_cast<std::int32_t>(i)};
      }
    });
  }

  std::size_t count() const { return count_; }
  const Hashed* begin(std::size_t part) const {
    return hashed_.data() + (part ? ends_[part - 1] : 0);
  }
  const Hashed* end(std::size_t part) const { return hashed_.data() + ends_[part]; }

 private:
  // By other bits than those of a place in a table.
  std::size_t part_of(std::uint32_t hash) const { return hash >> 20 & (count_ - 1); }

  const std::size_t count_;
  Buffer<Hashed> hashed_;
  std::vector<std::size_t> ends_;
};

// The vertices of one part that equal an earlier one.
void find_equal(const double* vertices, const Hashed* item, const Hashed* end,
                Buffer<Hashed>& table, Buffer<Equal>& equal) {
  constexpr std::int32_t kNone = -1;
  const std::size_t size = std::bit_ceil(2 * static_cast<std::size_t>(end - item) + 1);
  table.resize(size);
  Hashed* const slots = table.data();
  std::fill_n(slots, size, Hashed{0, kNone});
  for (; item != end; ++item) {
    const double* const v = vertices + 3 * std::size_t(item->vertex);
    for (std::size_t at = item->hash & (size - 1);; at = (at + 1) & (size - 1)) {
      const Hashed slot = slots[at];
      if (slot.vertex == kNone) {
        slots[at] = *item;
        break;
      }
      if (slot.hash == item->hash && same_point(vertices + 3 * std::size_t(slot.vertex), v)) {
        equal.push({item->vertex, slot.vertex});
        break;
      }
    }
  }
}

}  // namespace

std::vector<std::int32_t> weld(const double* vertices, std::size_t n, int workers) {
  const Parts parts(vertices, n, workers);
  std::vector<Buffer<Hashed>> tables(static_cast<std::size_t>(std::max(workers, 1)));
  std::vector<Buffer<Equal>> equal(tables.size());
  parallel_for(workers, parts.count(), 1, [&](std::size_t part, std::size_t last, int worker) {
    for (; part < last; ++part) {
      find_equal(vertices, parts.begin(part), parts.end(part), tables[worker], equal[worker]);
    }
  });
  std::vector<std::int32_t> first;
  for (const Buffer<Equal>& some : equal) {
    if (some.empty()) continue;
    if (first.empty()) {
      first.resize(n);
      std::iota(first.begin(), first.end(), 0);
    }
    for (const Equal& e : some) first[e.vertex] = e.first;
  }
  return first;
}

}  // namespace impinge
