#include "motion/rigid/search.hpp"

#include <algorithm>

namespace impinge::motion {
namespace {

constexpr std::size_t kStepsPerPulse = 64;
// Nodes are advanced when that takes them so much of what is left, at most so often.
constexpr double kWorth = 0.125;
constexpr std::uint32_t kMostNodeSteps = 16;
// Steps of triangles that are nearer than `stop`, and of any, until they count as in contact.
constexpr std::uint32_t kNearSteps = 24, kMostSteps = 0xffff;

}  // namespace

// The earliest is on top of the heap; ties in the order of the things.
bool Search::Entry::operator<(const Entry& other) const {
  if (share != other.share) return share > other.share;
  if (level_a != other.level_a) return level_a > other.level_a;
  if (level_b != other.level_b) return level_b > other.level_b;
  if (item.a != other.item.a) return item.a > other.item.a;
  return item.b > other.item.b;
}

std::optional<FirstContact> Search::run(const bvh::Tree& a, const bvh::Tree& b, const Piece& piece,
                                        const Limits& limits, double until, Ticker& ticker,
                                        int worker) {
  a_ = &a;
  b_ = &b;
  piece_ = &piece;
  limits_ = &limits;
  until_ = until;
  heap_.clear();
  moment_.reset();
  const auto top = [](const bvh::Tree& tree) { return std::int16_t(tree.boxes().top()); };
  push({0, {0, 0}, top(a), top(b), 0});
  for (std::size_t steps = 0; !heap_.empty(); ++steps) {
    if (steps % kStepsPerPulse == 0 && !ticker.pulse(worker)) break;
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (entry.level_a == kTriangles) {
      const std::optional<FirstContact> contact = step_triangles(entry);
      if (contact) return contact;
    } else if (!step_nodes(entry)) {
      if (entry.level_a == 0 && entry.level_b == 0) {
        pair_leaves(entry);
      } else {
        expand(entry);
      }
    }
  }
  return std::nullopt;
}

const Moment& Search::moment(double share) {
  if (!moment_ || moment_->share() != share) moment_.emplace(Places(*a_, *b_, *piece_, share));
  return *moment_;
}

void Search::push(const Entry& entry) {
  if (!(entry.share <= until_)) return;
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end());
}

// True when they are farther on, or apart to the end.
bool Search::step_nodes(const Entry& entry) {
  if (entry.steps >= kMostNodeSteps) return false;
  const Moment& now = moment(entry.share);
  const Box8 own = broadcast(a_->boxes().box(entry.level_a, entry.item.a));
  const Box box_b = b_->boxes().box(entry.level_b, entry.item.b);
  const Box8 own_b = broadcast(box_b);
  const Approach approach = now.of_boxes(own, own_b, now.relative().boxes(own_b));
  ++counters_.node_steps;
  const double left = 1 - entry.share;
  if (bits(approach.apart_for(static_cast<float>(left * (1 + 1e-7)))) & 1) return true;
  const SafeTimes safe_times(approach);
  const double safe = safe_times[0];
  if (!(safe >= kWorth * left)) return false;
  push({entry.share + safe, entry.item, entry.level_a, entry.level_b, entry.steps + 1});
  return true;
}

// The pairs of children, each with the time that its own bound gives.
void Search::expand(const Entry& entry) {
  ++counters_.node_pairs;
  const Moment& now = moment(entry.share);
  const Hierarchy &a = a_->boxes(), &b = b_->boxes();
  const Levels levels{entry.level_a, entry.level_b};
  const Levels below = levels.next();
  const bool lower_a = levels.lowers_a(), lower_b = levels.lowers_b();
  const Item item = entry.item;
  const Box8 own_b =
      lower_b ? load_boxes(b.node(levels.b, item.b)) : broadcast(b.box(levels.b, item.b));
  const Box8 moved = now.relative().boxes(own_b);
  const unsigned columns = lower_b ? b.children(levels.b, item.b) : 1u;
  const std::uint32_t first_b = lower_b ? item.b * kLanes : item.b;
  const double left = 1 - entry.share;
  const float all = static_cast<float>(left * (1 + 1e-7));
  const auto row = [&](const Box& box, std::uint32_t index_a) {
    const Approach approach = now.of_boxes(broadcast(box), own_b, moved);
    const unsigned meeting = columns & ~bits(approach.apart_for(all));
    if (!meeting) return;
    const SafeTimes safe_times(approach);
    for_each_bit(meeting, [&](int c) {
      const double safe = safe_times[c];
      const double share = entry.share + safe;
      push({share,
            {index_a, first_b + static_cast<std::uint32_t>(c)},
            std::int16_t(below.a),
            std::int16_t(below.b),
            share > entry.share ? 0 : kStuck});
    });
  };
  if (!lower_a) {
    row(a.box(levels.a, item.a), item.a);
    return;
  }
  const Node& node = a.node(levels.a, item.a);
  for_each_bit(a.children(levels.a, item.a),
               [&](int r) { row(lane(node, r), item.a * kLanes + static_cast<std::uint32_t>(r)); });
}

void Search::pair_leaves(const Entry& entry) {
  ++counters_.leaf_pairs;
  const Moment& now = moment(entry.share);
  const bvh::Leaf& leaf_a = a_->leaf(entry.item.a);
  bvh::Leaf leaf_b;
  bvh::move_leaf(now.relative(), b_->leaf(entry.item.b), leaf_b);
  const Box8 boxes_b = inflate(bvh::triangle_boxes(leaf_b), now.relative().box_margin);
  const Node boxes_a = spill(bvh::triangle_boxes(leaf_a));
  const TriangleShape b([&](int i) { return Float8::load(leaf_b.v[i]); });
  const double left = 1 - entry.share;
  const float all = static_cast<float>(left * (1 + 1e-7));
  for_each_bit(a_->lanes(entry.item.a), [&](int r) {
    const Approach by_boxes = now.of_boxes(broadcast(lane(boxes_a, r)), boxes_b);
    unsigned meeting = b_->lanes(entry.item.b) & ~bits(by_boxes.apart_for(all));
    if (!meeting) return;
    const TriangleShape a([&](int i) { return Float8(leaf_a.v[i][r]); });
    const Approach approach = now.of_triangles(a, b);
    meeting &= ~bits(approach.apart_for(all));
    if (!meeting) return;
    const SafeTimes safe_times(approach);
    for_each_bit(meeting, [&](int c) {
      const double safe = safe_times[c];
      push({entry.share + safe,
            {entry.item.a * kLanes + static_cast<std::uint32_t>(r),
             entry.item.b * kLanes + static_cast<std::uint32_t>(c)},
            kTriangles,
            kTriangles,
            0});
    });
  });
}

std::optional<FirstContact> Search::step_triangles(const Entry& entry) {
  ++counters_.triangle_steps;
  const Places now(*a_, *b_, *piece_, entry.share);
  const Triangle a = now.a.triangle(entry.item.a), b = now.b.triangle(entry.item.b);
  const TriangleStep step = triangle_step(a, now.state_a, b, now.state_b, limits_->clearance);
  const double next = entry.share + step.safe;
  // The upper half counts all steps, the lower one those near each other.
  const bool is_near = step.gap <= limits_->stop;
  const std::uint32_t near = std::min((entry.steps & 0xffff) + is_near, kMostSteps);
  const std::uint32_t all = (entry.steps >> 16) + 1;
  if (next > entry.share && !(is_near && near >= kNearSteps) && all < kMostSteps) {
    push({next, entry.item, kTriangles, kTriangles, all << 16 | near});
    return std::nullopt;
  }
  return FirstContact{entry.share, a_->face_of(entry.item.a), b_->face_of(entry.item.b), step};
}

}  // namespace impinge::motion
