// Two triangles of one mesh that share corners.
#pragma once

#include <cstdint>

#include "bvh/stars.hpp"
#include "simd/lanes.hpp"

namespace impinge {

// Whether two triangles with one or two common corners certainly meet in nothing else: the other
// corners of one lie strictly on one side of the other's plane. `error` as in the float filter.
bool certainly_only_neighbours(const Point4* points, const std::int32_t (&a)[3],
                               const std::int32_t (&b)[3], float error);

// Calls test(slot, slot) for the pairs around one vertex that are not certain; a pair with more
// common vertices comes at the smallest. corner(slot, k) is the id of a corner. Leaves early when
// `go_on()`, asked now and then, says so.
template <class Corner, class GoOn, class Test>
void for_each_doubtful_pair(const Stars& stars, std::int32_t vertex, const Point4* points,
                            float error, const Corner& corner, const GoOn& go_on,
                            const Test& test) {
  constexpr std::uint32_t kPerQuestion = 64;
  const std::uint32_t first = stars.first[vertex], last = stars.first[vertex + 1];
  for (std::uint32_t i = first; i < last; ++i) {
    if ((i - first + 1) % kPerQuestion == 0 && !go_on()) return;
    const std::uint32_t p = stars.slots[i];
    const std::int32_t a[3] = {corner(p, 0), corner(p, 1), corner(p, 2)};
    for (std::uint32_t j = i + 1; j < last; ++j) {
      const std::uint32_t q = stars.slots[j];
      const std::int32_t b[3] = {corner(q, 0), corner(q, 1), corner(q, 2)};
      std::int32_t smallest = vertex;
      for (const std::int32_t x : a) {
        for (const std::int32_t y : b) smallest = x == y && x < smallest ? x : smallest;
      }
      if (smallest == vertex && !certainly_only_neighbours(points, a, b, error)) test(p, q);
    }
  }
}

}  // namespace impinge
