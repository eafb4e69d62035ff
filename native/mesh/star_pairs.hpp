// Two triangles of one mesh that share corners.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/lanes.hpp"
#include "geometry/gather.hpp"
#include "mesh/stars.hpp"

namespace impinge {

// Whether two triangles with one or two common corners certainly meet in nothing else: the other
// corners of one lie strictly on one side of the other's plane. `error` as in the float filter.
bool certainly_only_neighbours(const Point4* points, const std::int32_t (&a)[3],
                               const std::int32_t (&b)[3], float error);

// Eight triangles around one vertex.
struct alignas(32) StarPart {
  std::int32_t id[2][kLanes];  // of the other two corners
  float arm[2][3][kLanes];     // from the vertex to them
  float normal[3][kLanes], size[kLanes];
  std::uint32_t slot[kLanes];
  int count;
  unsigned repeating;  // lanes whose triangles have a corner twice

  // The first `count` slots and ids are set; the other lanes repeat the last.
  void measure(const Point4* points, std::int32_t vertex);
};

// Lanes of b that `certainly_only_neighbours` of a triangle of a are not; a pair with more common
// vertices comes at the smallest.
unsigned doubtful(const StarPart& a, int row, const StarPart& b, std::int32_t vertex, float error);

// Calls test(slot, slot) for the pairs around one vertex that are not certain. corner(slot, k) is
// the id of a corner. Leaves early when `go_on()`, asked now and then, says so.
template <class Corner, class GoOn, class Test>
void for_each_doubtful_pair(const Stars& stars, std::int32_t vertex, const Point4* points,
                            float error, const Corner& corner, const GoOn& go_on,
                            const Test& test) {
  const std::uint32_t first = stars.first[vertex], last = stars.first[vertex + 1];
  const auto load = [&](std::uint32_t begin, StarPart& part) {
    part.count = static_cast<int>(std::min<std::uint32_t>(kLanes, last - begin));
    for (int i = 0; i < part.count; ++i) {
      const std::uint32_t slot = stars.slots[begin + static_cast<std::uint32_t>(i)];
      const std::int32_t id[3] = {corner(slot, 0), corner(slot, 1), corner(slot, 2)};
      part.slot[i] = slot;
      part.id[0][i] = id[0] == vertex ? id[1] : id[0];
      part.id[1][i] = id[2] == vertex ? id[1] : id[2];
    }
    part.measure(points, vertex);
  };
  StarPart a, other;
  for (std::uint32_t i = first; i < last; i += kLanes) {
    if (i > first && !go_on()) return;
    load(i, a);
    for (std::uint32_t j = i; j < last; j += kLanes) {
      if (j > i) load(j, other);
      const StarPart& b = j > i ? other : a;
      for (int row = 0; row < a.count; ++row) {
        unsigned lanes = doubtful(a, row, b, vertex, error);
        if (j == i) lanes &= ~1u << row;
        for_each_bit(lanes, [&](int lane) { test(a.slot[row], b.slot[lane]); });
      }
    }
  }
}

}  // namespace impinge
