#include "mesh/deal.hpp"

#include <algorithm>

namespace impinge {
namespace {

struct Box {
  double low[3], high[3];

  template <class Number>
  explicit Box(const Number* triangle) {
    for (int axis = 0; axis < 3; ++axis) {
      const Number a = triangle[axis], b = triangle[3 + axis], c = triangle[6 + axis];
      low[axis] = std::min(std::min(a, b), c);
      high[axis] = std::max(std::max(a, b), c);
    }
  }
  bool within(const double* region) const {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      inside &= (low[axis] >= region[axis]) & (high[axis] < region[3 + axis]);
    }
    return inside;
  }
};

template <class Visit>
void each_tile(const Cuts& cuts, const Box& box, std::vector<std::int32_t>& todo,
               const Visit& visit) {
  todo.push_back(cuts.root);
  while (!todo.empty()) {
    std::int32_t node = todo.back();
    todo.pop_back();
    while (node >= 0) {
      const std::int32_t axis = cuts.axis[node];
      const std::int32_t* sides = cuts.children + 2 * static_cast<std::size_t>(node);
      const bool left = box.low[axis] < cuts.value[node];
      if (left && box.high[axis] >= cuts.value[node]) todo.push_back(sides[1]);
      node = sides[left ? 0 : 1];
    }
    visit(-1 - node);
  }
}

}  // namespace

template <class Number>
Dealt deal(const Cuts& cuts, const Number* corners, std::size_t n) {
  constexpr std::int32_t kSeveral = -1;
  Dealt dealt;
  std::vector<std::int64_t>& starts = dealt.starts;
  starts.assign(cuts.tiles + 1, 0);
  std::vector<std::int32_t> only(n), todo;
  std::int32_t last = kSeveral;
  for (std::size_t i = 0; i < n; ++i) {
    const Box box(corners + 9 * i);
    // nearly all triangles are in one tile, and nearly always in that of the one before
    if (last != kSeveral && box.within(cuts.regions + 6 * static_cast<std::size_t>(last))) {
      ++starts[last + 1];
    } else {
      int met = 0;
      each_tile(cuts, box, todo, [&](std::int32_t tile) {
        ++starts[tile + 1];
        last = met++ == 0 ? tile : kSeveral;
      });
    }
    only[i] = last;
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  dealt.rows.resize(static_cast<std::size_t>(starts.back()));
  std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = [&](std::int32_t tile) {
      dealt.rows[static_cast<std::size_t>(next[tile]++)] = static_cast<std::int32_t>(i);
    };
    if (only[i] != kSeveral) {
      place(only[i]);
    } else {
      each_tile(cuts, Box(corners + 9 * i), todo, place);
    }
  }
  return dealt;
}

template Dealt deal(const Cuts&, const float*, std::size_t);
template Dealt deal(const Cuts&, const double*, std::size_t);

}  // namespace impinge
