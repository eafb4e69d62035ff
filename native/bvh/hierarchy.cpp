#include "bvh/hierarchy.hpp"

#include <algorithm>
#include <limits>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A missing child: far inside out, but finite, so that maps of it stay numbers.
constexpr float kInsideOut = 1e18f;

int longest_axis(const Centre* c, std::size_t n) {
  float lo[3] = {kInfinity, kInfinity, kInfinity};
  float hi[3] = {-kInfinity, -kInfinity, -kInfinity};
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], c[i].at[k]);
      hi[k] = std::max(hi[k], c[i].at[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
  }
  return axis;
}

// Sorts the `left` smallest along the longest axis to the front; ties by id keep it deterministic.
void split(Centre* c, std::size_t n, std::size_t left) {
  const int axis = longest_axis(c, n);
  std::nth_element(c, c + left, c + n, [axis](const Centre& a, const Centre& b) {
    return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.id < b.id;
  });
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

void order(Centre* c, std::size_t n) {
  while (n > kLanes) {
    const std::size_t left = left_half(n);
    split(c, n, left);
    order(c, left);
    c += left;
    n -= left;
  }
}

}  // namespace

void order_by_halves(std::vector<Centre>& centres, int workers) {
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
    split(centres.data() + r.begin, r.n, left);
    open.push_back({r.begin, left});
    open.push_back({r.begin + left, r.n - left});
  }
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) order(centres.data() + parts[b].begin, parts[b].n);
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
