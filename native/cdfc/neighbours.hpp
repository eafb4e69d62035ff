// Neighbours in the bodies that are checked against themselves.
#pragma once

#include "bvh/mesh_neighbours.hpp"
#include "cdfc/collide.hpp"

namespace impinge::cdfc {

// Calls test(worker, triangle, triangle) for those with a common corner that are not certain to
// meet in nothing else.
template <class Test>
void test_fans(const Query& query, int workers, const Ticker::Callback& tick, const Test& test) {
  const Soup& soup = query.soup;
  for (std::size_t body = 0; body < soup.bodies().size(); ++body) {
    const Fans* fans = query.wanted.fans(body);
    if (!fans) continue;
    // All faces of such a body are in the soup, one after the other.
    const std::uint32_t first = soup.first_triangle(body);
    test_neighbours(
        fans->stars(), fans->corners(), soup.points() + soup.first_point(body), workers, tick,
        [&](int worker, std::uint32_t p, std::uint32_t q) { test(worker, first + p, first + q); });
  }
}

}  // namespace impinge::cdfc
