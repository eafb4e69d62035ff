// The closest points of many points.
#include <algorithm>
#include <limits>

#include "base/pool.hpp"
#include "solids/nearest.hpp"
#include "solids/point_order.hpp"
#include "solids/sides.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kChunk = 256;  // points of one task
constexpr std::size_t kGrain = 8192;

// Calls put(id, search) for each point once it is found.
template <class Put>
void find_all(const bvh::Tree& tree, const Boundary* boundary, const double* points,
              std::size_t count, int workers, const Ticker::Callback& tick, const Put& put) {
  const CellKeys<3> key(frame_of(bounds_of(points, count)), {0, 1, 2});
  const Buffer<KeyedPoint> order = order_by_key<KeyedPoint>(
      count, workers, [&](std::size_t begin, std::size_t end, KeyedPoint* keyed) {
        for (std::size_t i = begin; i < end; ++i) {
          check_point(points + 3 * i);
          keyed[i] = {key(points + 3 * i), static_cast<std::int32_t>(i)};
        }
      });
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    NearestSearch search(tree, boundary);
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      for (std::size_t i = b * kChunk; i < std::min(count, (b + 1) * kChunk); ++i) {
        const std::size_t id = std::size_t(order[i].id);
        if (!tree.empty()) search.find(points + 3 * id);
        put(id, search);
      }
      ticker.done(worker);
    }
  });
}

}  // namespace

void nearest_of(const bvh::Tree& tree, const double* points, std::size_t count, int workers,
                const Ticker::Callback& tick, const NearestArrays& to) {
  find_all(tree, nullptr, points, count, workers, tick,
           [&](std::size_t id, const NearestSearch& found) {
             std::copy_n(found.near().point, 3, to.points + 3 * id);
             to.distances[id] = found.near().value;
             to.faces[id] = found.face();
           });
}

void signed_distances_of(const bvh::Tree& tree, const double* points, std::size_t count,
                         Sense sense, int workers, const Ticker::Callback& tick,
                         double* distances) {
  const Boundary boundary(tree, sense);
  find_all(tree, &boundary, points, count, workers, tick,
           [&](std::size_t id, const NearestSearch& found) {
             // rounded to zero or not, what is beside the surface has a sign
             distances[id] = std::max(found.near().value, std::numeric_limits<double>::min());
           });
  Buffer<std::int8_t> sides;
  sides.resize(count);
  sides_of(tree, points, count, sense, workers, {}, sides.data());
  parallel_for(workers, count, kGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; ++i) distances[i] = sides[i] == 0 ? 0.0 : sides[i] * distances[i];
  });
}

}  // namespace impinge::solids
