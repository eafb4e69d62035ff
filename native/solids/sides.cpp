#include "solids/sides.hpp"

#include <algorithm>
#include <vector>

#include "base/buffer.hpp"
#include "base/pool.hpp"
#include "solids/cell_sides.hpp"
#include "solids/column.hpp"
#include "solids/point_block.hpp"
#include "solids/point_order.hpp"
#include "solids/winding_counter.hpp"

namespace impinge::solids {
namespace {

constexpr std::size_t kChunk = PointBlock::kMost;  // points of one task
constexpr std::size_t kGrain = 8192;               // points that are looked at first
// From so many points on cells are worth it.
constexpr std::size_t kCrowd = 1 << 15;

bool is_within(const Bounds& bounds, const double* p) {
  bool within = true;
  for (int k = 0; k < 3; ++k) within = within & (p[k] >= bounds.lo[k]) & (p[k] <= bounds.hi[k]);
  return within;
}

struct Question {
  const bvh::Tree& tree;
  const int axis;
  const Sense sense;
  const double* const points;
  std::int8_t* const sides;

  const double* point(std::int32_t id) const { return points + 3 * std::size_t(id); }
};

// Sets the sides of all points outside of the bounds and in cells that are known. Returns the ids
// of the others, in order.
Buffer<std::int32_t> look_at_all(const Question& q, std::size_t count, int workers) {
  const Bounds bounds = q.tree.empty() ? kNoBounds : q.tree.bounds();
  const CellSides cells(q.tree, q.sense, q.axis, count >= kCrowd ? count : 0, workers);
  std::vector<Buffer<std::int32_t>> parts((count + kGrain - 1) / kGrain);
  parallel_for(workers, parts.size(), 1, [&](std::size_t part, std::size_t last, int) {
    for (; part < last; ++part) {
      std::int32_t* const left = parts[part].grow(kGrain);
      std::size_t n = 0;
      for (std::size_t i = part * kGrain; i < std::min(count, (part + 1) * kGrain); ++i) {
        const double* p = q.points + 3 * i;
        check_point(p);
        std::int8_t side = 1;
        if (is_within(bounds, p)) {
          side = cells.empty() ? CellSides::kMixed : cells(in_frame(q.tree.frame(), p));
        }
        q.sides[i] = side;
        left[n] = static_cast<std::int32_t>(i);
        n += side == CellSides::kMixed;
      }
      parts[part].advance(n);
    }
  });
  Buffer<std::int32_t> all;
  for (const Buffer<std::int32_t>& part : parts) {
    std::copy(part.begin(), part.end(), all.grow(part.size()));
    all.advance(part.size());
  }
  return all;
}

// One thread's share of the points that are left.
class SideFinder {
 public:
  explicit SideFinder(const Question& question)
      : q_(question), block_(question.tree.frame()), counter_(question.tree, question.axis) {}

  // At most kMost points within the bounds of the tree.
  void find(const KeyedPoint* order, std::size_t count) {
    constexpr std::size_t kAhead = 16;
    block_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) prefetch(q_.point(order[i + kAhead].id), 3 * sizeof(double));
      block_.add(q_.point(order[i].id));
    }
    block_.finish();
    constexpr int kMost = WindingCounter::kMost;
    for (int begin = 0; begin < block_.size(); begin += kMost) {
      const int n = std::min(kMost, block_.size() - begin);
      counter_.count(block_, begin, n);
      for (int i = 0; i < n; ++i) {
        q_.sides[order[begin + i].id] = static_cast<std::int8_t>(side(begin, i));
      }
    }
  }

 private:
  Side side(int begin, int i) const {
    if (counter_.is_on_face(i)) return side_of(q_.tree, block_.point(begin + i), q_.sense, q_.axis);
    return is_solid(counter_.winding(i), q_.sense) ? Side::inside : Side::outside;
  }

  const Question& q_;
  PointBlock block_;
  WindingCounter counter_;
};

}  // namespace

void sides_of(const bvh::Tree& tree, const double* points, std::size_t count, Sense sense,
              int workers, const Ticker::Callback& tick, std::int8_t* sides) {
  const Question question{tree, best_axis(tree.boxes()), sense, points, sides};
  const Buffer<std::int32_t> left = look_at_all(question, count, workers);
  const CellKeys<2> key(tree.frame(), Axes(question.axis).across);
  const Buffer<KeyedPoint> order = order_by_key<KeyedPoint>(
      left.size(), workers, [&](std::size_t begin, std::size_t end, KeyedPoint* keyed) {
        for (std::size_t i = begin; i < end; ++i)
          keyed[i] = {key(question.point(left[i])), left[i]};
      });
  const std::size_t chunks = (order.size() + kChunk - 1) / kChunk;
  Ticker ticker(chunks, tick);
  parallel_for(workers, chunks, 1, [&](std::size_t b, std::size_t e, int worker) {
    SideFinder finder(question);
    for (; b < e; ++b) {
      if (!ticker.pulse(worker)) return;
      finder.find(order.data() + b * kChunk, std::min(order.size() - b * kChunk, kChunk));
      ticker.done(worker);
    }
  });
}

}  // namespace impinge::solids
