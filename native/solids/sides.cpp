#include "solids/sides.hpp"

#include <algorithm>

#include "base/pool.hpp"
#include "solids/column.hpp"
#include "solids/point_order.hpp"
#include "solids/point_packet.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kChunk = 512;  // points of one task

constexpr std::uint32_t kNowhere = ~0u;  // the key of a point that is outside of all boxes

bool is_within(const Bounds& bounds, const double* p) {
  bool within = true;
  for (int k = 0; k < 3; ++k) within = within & (p[k] >= bounds.lo[k]) & (p[k] <= bounds.hi[k]);
  return within;
}

// Points within the bounds of the tree by where they are across the axis, and then all others.
Buffer<KeyedPoint> order_across(const bvh::Tree& tree, const Axes& axes, const double* points,
                                std::size_t count, int workers) {
  const CellKeys<2> key(tree.frame(), axes.across);
  const Bounds bounds = tree.empty() ? kNoBounds : tree.bounds();
  return order_by_key<KeyedPoint>(
      count, workers, [&](std::size_t begin, std::size_t end, KeyedPoint* keyed) {
        for (std::size_t i = begin; i < end; ++i) {
          const double* p = points + 3 * i;
          check_point(p);
          const std::uint32_t place =
              is_within(bounds, p) ? std::min(key(p), kNowhere - 1) : kNowhere;
          keyed[i] = {place, static_cast<std::int32_t>(i)};
        }
      });
}

// One thread's share of the work.
class SideFinder {
 public:
  SideFinder(const bvh::Tree& tree, int axis, Sense sense, const double* points, std::int8_t* sides)
      : tree_(tree),
        axis_(axis),
        sense_(sense),
        points_(points),
        sides_(sides),
        packet_(tree, axis) {}

  // Of points within the bounds of the tree.
  void find(const KeyedPoint* order, std::size_t count) {
    constexpr std::size_t kMost = PointPacket::kMost;
    for (std::size_t i = 0; i < count; i += kMost) {
      find_packet(order + i, std::min(count - i, kMost));
      ask_for(order + i + kMost, i + kMost < count ? std::min(count - i - kMost, kMost) : 0);
    }
  }

 private:
  void find_packet(const KeyedPoint* order, std::size_t n) {
    packet_.clear();
    for (std::size_t i = 0; i < n; ++i) packet_.add(at(order[i]));
    packet_.count();
    for (std::size_t i = 0; i < n; ++i) {
      const int place = static_cast<int>(i);
      Side side = is_solid(packet_.winding(place), sense_) ? Side::inside : Side::outside;
      if (packet_.is_on_face(place)) side = side_of(tree_, at(order[i]), sense_, axis_);
      sides_[order[i].id] = static_cast<std::int8_t>(side);
    }
  }
  void ask_for(const KeyedPoint* order, std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) prefetch(at(order[i]), 3 * sizeof(double));
  }
  const double* at(const KeyedPoint& p) const { return points_ + 3 * std::size_t(p.id); }

  const bvh::Tree& tree_;
  const int axis_;
  const Sense sense_;
  const double* const points_;
  std::int8_t* const sides_;
  PointPacket packet_;
};

}  // namespace

void sides_of(const bvh::Tree& tree, const double* points, std::size_t count, Sense sense,
              int workers, const Ticker::Callback& tick, std::int8_t* sides) {
  const int axis = 0;
  const Buffer<KeyedPoint> order = order_across(tree, Axes(axis), points, count, workers);
  const auto is_outside = [](const KeyedPoint& p) { return p.key == kNowhere; };
  const KeyedPoint* const last = std::find_if(order.begin(), order.end(), is_outside);
  for (const KeyedPoint* p = last; p != order.end(); ++p) sides[p->id] = 1;
  const std::size_t inside = static_cast<std::size_t>(last - order.begin());
  const std::size_t chunks = (inside + kChunk - 1) / kChunk;
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    SideFinder finder(tree, axis, sense, points, sides);
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      finder.find(order.data() + b * kChunk, std::min(inside - b * kChunk, kChunk));
      ticker.done(worker);
    }
  });
}

}  // namespace impinge::solids
