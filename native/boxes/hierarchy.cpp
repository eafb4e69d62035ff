#include "boxes/hierarchy.hpp"

#include <algorithm>

#include "base/pool.hpp"

namespace impinge {
namespace {

void set_lane(Node& node, int i, const Box& box) {
  for (int k = 0; k < 3; ++k) {
    node.lo[k][i] = box.lo[k];
    node.hi[k][i] = box.hi[k];
  }
}

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
  set_lane(node(1, i / kLanes), static_cast<int>(i % kLanes), box);
}

void Hierarchy::refit_upwards(int level, int workers) {
  for (; level <= top(); ++level) {
    parallel_for(workers, nodes(level - 1), 512, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) {
        const Box box = hull(load_boxes(node(level - 1, b)));
        set_lane(node(level, b / kLanes), static_cast<int>(b % kLanes), box);
      }
    });
  }
  root_ = hull(load_boxes(node(top(), 0)));
}

}  // namespace impinge
