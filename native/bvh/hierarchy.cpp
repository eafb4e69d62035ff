#include "bvh/hierarchy.hpp"

#include <algorithm>

#include "parallel/pool.hpp"

namespace impinge {
namespace {

// A missing child: far inside out, but finite, so that maps of it stay numbers.
constexpr float kInsideOut = 1e18f;

}  // namespace

std::size_t Hierarchy::nodes_for(std::size_t items) {
  std::size_t total = 0;
  do {
    items = std::max<std::size_t>((items + kLanes - 1) / kLanes, 1);
    total += items;
  } while (items > 1);
  return total;
}

void Hierarchy::place(std::size_t items, Node* memory) {
  items_ = items;
  levels_.clear();
  Node empty;
  for (int k = 0; k < 3; ++k) {
    std::fill_n(empty.lo[k], kLanes, kInsideOut);
    std::fill_n(empty.hi[k], kLanes, -kInsideOut);
  }
  std::size_t n = items;
  do {
    n = std::max<std::size_t>((n + kLanes - 1) / kLanes, 1);
    levels_.push_back({memory, n});
    memory += n;
    memory[-1] = empty;  // the only one that may lack children
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

void Hierarchy::set_children(int level, std::size_t i, const Box8 (&boxes)[kLanes], int n) {
  Node& parent = node(level, i);
  if (n == kLanes) {
    for (int k = 0; k < 3; ++k) {
      Float8 lo[kLanes], hi[kLanes];
      for (int c = 0; c < kLanes; ++c) {
        lo[c] = boxes[c].lo[k];
        hi[c] = boxes[c].hi[k];
      }
      lowest_of_each(lo).store(parent.lo[k]);
      highest_of_each(hi).store(parent.hi[k]);
    }
    return;
  }
  for (int c = 0; c < n; ++c) {
    const Box box = hull(boxes[c]);
    for (int k = 0; k < 3; ++k) {
      parent.lo[k][c] = box.lo[k];
      parent.hi[k][c] = box.hi[k];
    }
  }
}

void Hierarchy::refit_upwards(int workers) {
  for (int level = 2; level <= top(); ++level) {
    const std::size_t children = nodes(level - 1);
    parallel_for(workers, nodes(level), 64, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        Box8 boxes[kLanes];
        const auto n = static_cast<int>(std::min<std::size_t>(kLanes, children - b * kLanes));
        for (int c = 0; c < n; ++c) boxes[c] = load_boxes(node(level - 1, b * kLanes + c));
        set_children(level, b, boxes, n);
      }
    });
  }
  root_ = hull(load_boxes(node(top(), 0)));
}

}  // namespace impinge
