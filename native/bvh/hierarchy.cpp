#include "bvh/hierarchy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A missing child: far inside out, but finite, so that maps of it stay numbers.
constexpr float kInsideOut = 1e18f;

struct Extent {
  float lo[3] = {kInfinity, kInfinity, kInfinity};
  float hi[3] = {-kInfinity, -kInfinity, -kInfinity};

  Extent(const Centre* c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], c[i].at[k]);
        hi[k] = std::max(hi[k], c[i].at[k]);
      }
    }
  }
  int longest_axis() const {
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    }
    return axis;
  }
};

// Sorts like (coordinate, id): the bits of a float, turned so that they compare like it.
std::uint64_t rank(const Centre& c, int axis) {
  const auto bits = std::bit_cast<std::uint32_t>(c.at[axis] + 0.0f);  // one zero only
  const std::uint32_t ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (std::uint64_t{ordered} << 32) | static_cast<std::uint32_t>(c.id);
}

constexpr std::size_t kFewCentres = 256;
constexpr int kBins = 256;

// The rank that has exactly `below` of the n ranks under it. The partition has no branch on the
// data, which is random here: three times faster than std::nth_element.
std::uint64_t select(std::uint64_t* ranks, std::size_t n, std::size_t below) {
  while (true) {
    if (n <= 4) {
      std::sort(ranks, ranks + n);
      return ranks[below];
    }
    const std::uint64_t x = ranks[0], y = ranks[n / 2], z = ranks[n - 1];
    const std::uint64_t pivot = std::max(std::min(x, y), std::min(std::max(x, y), z));
    std::size_t smaller = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t r = ranks[i];
      ranks[i] = ranks[smaller];
      ranks[smaller] = r;
      smaller += r < pivot;
    }
    if (below < smaller) {
      n = smaller;
    } else {
      ranks += smaller;
      n -= smaller;
      below -= smaller;
      if (below == 0) return pivot;  // ranks are distinct: it is the smallest that is left
    }
  }
}

void split_few(Centre* c, Centre* spare, std::size_t n, std::size_t left, int axis) {
  std::uint64_t ranks[kFewCentres];
  for (std::size_t i = 0; i < n; ++i) ranks[i] = rank(c[i], axis);
  const std::uint64_t first_right = select(ranks, n, left);
  Centre* write[2] = {spare, spare + left};
  for (std::size_t i = 0; i < n; ++i) *write[rank(c[i], axis) >= first_right]++ = c[i];
  std::copy_n(spare, n, c);
}

// Brings the `left` smallest along the longest axis to the front; ties by id keep it
// deterministic. Many are counted into bins first, which leaves only the bin of the split to
// select in.
void split(Centre* c, Centre* spare, std::size_t n, std::size_t left) {
  const Extent extent(c, n);
  const int axis = extent.longest_axis();
  if (n <= kFewCentres) {
    split_few(c, spare, n, left, axis);
    return;
  }
  const auto before = [axis](const Centre& a, const Centre& b) {
    return rank(a, axis) < rank(b, axis);
  };
  const float lo = extent.lo[axis], per_width = (kBins - 1) / (extent.hi[axis] - lo);
  if (!(per_width < 1e30f)) {  // too narrow for bins
    std::nth_element(c, c + left, c + n, before);
    return;
  }
  const auto bin = [=](const Centre& x) { return static_cast<int>((x.at[axis] - lo) * per_width); };
  std::array<std::size_t, kBins> count{};
  for (std::size_t i = 0; i < n; ++i) ++count[bin(c[i])];
  int middle = 0;
  std::size_t below = 0;
  while (below + count[middle] <= left) below += count[middle++];

  Centre* write[3] = {spare, spare + below, spare + below + count[middle]};
  for (std::size_t i = 0; i < n; ++i) {
    const int b = bin(c[i]);
    *write[(b >= middle) + (b > middle)]++ = c[i];
  }
  std::copy_n(spare, n, c);
  std::nth_element(c + below, c + left, c + below + count[middle], before);
}

// The largest power of two below n, at least 8: the capacity of the left half.
std::size_t left_half(std::size_t n) {
  std::size_t half = kLanes;
  while (2 * half < n) half *= 2;
  return half;
}

struct Range {
  std::size_t begin, n;
};

void order(Centre* c, Centre* spare, std::size_t n) {
  while (n > kLanes) {
    const std::size_t left = left_half(n);
    split(c, spare, n, left);
    order(c, spare, left);
    c += left;
    spare += left;
    n -= left;
  }
}

}  // namespace

void order_by_halves(std::vector<Centre>& centres, int workers) {
  std::vector<Centre> spare(centres.size());
  // The first splits one after the other, then the parts side by side.
  const std::size_t small = workers > 1 ? centres.size() / (4 * workers) + 64 : centres.size();
  std::vector<Range> open{{0, centres.size()}}, parts;
  while (!open.empty()) {
    const Range r = open.back();
    open.pop_back();
    if (r.n <= small) {
      parts.push_back(r);
      continue;
    }
    const std::size_t left = left_half(r.n);
    split(centres.data() + r.begin, spare.data() + r.begin, r.n, left);
    open.push_back({r.begin, left});
    open.push_back({r.begin + left, r.n - left});
  }
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      order(centres.data() + parts[b].begin, spare.data() + parts[b].begin, parts[b].n);
    }
  });
}

void Hierarchy::allocate(std::size_t items) {
  items_ = items;
  levels_.clear();
  Node empty;
  for (int k = 0; k < 3; ++k) {
    std::fill_n(empty.lo[k], kLanes, kInsideOut);
    std::fill_n(empty.hi[k], kLanes, -kInsideOut);
  }
  std::size_t n = items;
  do {
    n = (n + kLanes - 1) / kLanes;
    levels_.emplace_back(std::max<std::size_t>(n, 1), empty);
  } while (n > 1);
  root_ = lane(empty, 0);
}

Box Hierarchy::box(int level, std::size_t i) const {
  if (level == top()) return root_;
  return lane(node(level + 1, i / kLanes), static_cast<int>(i % kLanes));
}

void Hierarchy::set_item(std::size_t i, const Box& box) {
  Node& parent = node(1, i / kLanes);
  for (int k = 0; k < 3; ++k) {
    parent.lo[k][i % kLanes] = box.lo[k];
    parent.hi[k][i % kLanes] = box.hi[k];
  }
}

void Hierarchy::refit_upwards(int workers) {
  for (int level = 2; level <= top(); ++level) {
    const std::size_t children = nodes(level - 1);
    parallel_for(workers, nodes(level), 64, [&](std::size_t b, std::size_t e, int) {
      for (std::size_t c = b * kLanes; c < std::min(children, e * kLanes); ++c) {
        const Box box = hull(load_boxes(node(level - 1, c)));
        Node& parent = node(level, c / kLanes);
        for (int k = 0; k < 3; ++k) {
          parent.lo[k][c % kLanes] = box.lo[k];
          parent.hi[k][c % kLanes] = box.hi[k];
        }
      }
    });
  }
  root_ = hull(load_boxes(node(top(), 0)));
}

std::size_t Hierarchy::bytes() const {
  std::size_t total = 0;
  for (const auto& level : levels_) total += level.size() * sizeof(Node);
  return total;
}

}  // namespace impinge
