// The closest points of many points.
#include <algorithm>
#include <limits>

#include "base/key_order.hpp"
#include "base/pool.hpp"
#include "solids/nearest.hpp"
#include "solids/point_order.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kChunk = 256;  // points of one task

void put(const NearestArrays& to, std::size_t id, const NearPoint& near, std::int32_t face) {
  std::copy_n(near.point, 3, to.points + 3 * id);
  to.distances[id] = near.value;
  to.faces[id] = face;
}

}  // namespace

void nearest_of(const bvh::Tree& tree, const double* points, std::size_t count, int workers,
                const Ticker::Callback& tick, const NearestArrays& to) {
  const CellKeys<3> key(frame_of(bounds_of(points, count)), {0, 1, 2});
  const auto make = [&](std::size_t begin, std::size_t end, KeyedPoint* keyed) {
    for (std::size_t i = begin; i < end; ++i) {
      check_point(points + 3 * i);
      keyed[i] = {key(points + 3 * i), static_cast<std::int32_t>(i)};
    }
  };
  const Buffer<KeyedPoint> order = order_by_key<KeyedPoint>(count, workers, make);
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    NearestSearch search(tree);
    constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      for (std::size_t i = b * kChunk; i < std::min(count, (b + 1) * kChunk); ++i) {
        const std::size_t id = std::size_t(order[i].id);
        if (tree.empty()) {
          put(to, id, {std::numeric_limits<double>::infinity(), {kNowhere, kNowhere, kNowhere}},
              -1);
          continue;
        }
        search.find(points + 3 * id);
        put(to, id, search.near(), search.face());
      }
      ticker.done(worker);
    }
  });
}

}  // namespace impinge::solids
