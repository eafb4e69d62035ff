// All pairs of faces of one mesh that have a common vertex, looked at side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/pool.hpp"
#include "base/ticker.hpp"
#include "geometry/frame.hpp"
#include "mesh/star_pairs.hpp"

namespace impinge {

// Calls test(worker, face, face), the lower face first, for the pairs that are not certain to meet
// in nothing but what they share. A fan of triangles around a vertex is mostly settled by one look
// at all of it. `corners` (m, 3) are those the stars were made of, `points` in a
// frame.
template <class Test>
void test_neighbours(const Stars& stars, const std::int32_t* corners, const Point4* points,
                     int workers, const Ticker::Callback& tick, const Test& test) {
  constexpr std::size_t kStarsPerTask = 256;
  constexpr auto kError = static_cast<float>(1.001 * kRounding);
  const std::size_t blocks = (stars.blocks.size() + kStarsPerTask - 1) / kStarsPerTask;
  const std::size_t odd = (stars.irregular.size() + kStarsPerTask - 1) / kStarsPerTask;
  Ticker ticker(blocks + odd, tick);
  const auto star = [&](std::int32_t vertex, int worker) {
    for_each_doubtful_pair(
        stars, vertex, points, kError,
        [&](std::uint32_t face, int k) { return corners[3 * std::size_t(face) + k]; },
        [&] { return ticker.pulse(worker); },
        [&](std::uint32_t p, std::uint32_t q) { test(worker, std::min(p, q), std::max(p, q)); });
  };
  parallel_for(workers, blocks + odd, 1, [&](std::size_t task, std::size_t end, int worker) {
    for (; task < end; ++task) {
      const bool regular = task < blocks;
      const std::size_t first = (regular ? task : task - blocks) * kStarsPerTask;
      const std::size_t all = regular ? stars.blocks.size() : stars.irregular.size();
      const std::size_t last = std::min(first + kStarsPerTask, all);
      for (std::size_t i = first; i < last && ticker.pulse(worker); ++i) {
        if (!regular) {
          star(stars.irregular[i], worker);
          continue;
        }
        const Stars::Block& block = stars.blocks[i];
        const unsigned live = (1u << block.lanes) - 1;
        const unsigned open = ~certify(stars, block, points, kError) & live;
        for_each_bit(open, [&](int lane) { star(stars.ids[block.first + lane], worker); });
      }
      ticker.done(worker);
    }
  });
}

}  // namespace impinge
