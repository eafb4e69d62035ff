#include "bvh/distance.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/collide.hpp"
#include "bvh/front.hpp"
#include "geometry/triangle_distance.hpp"
#include "geometry/weld.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// What a float bound may exceed the best distance by before its pair is skipped: roundings of the
// bound itself, and of the float64 distances, which are below 1e-12 of the frame.
constexpr double kRelativeSlack = 2e-6, kDistanceSlack = 1e-12;
// Dot products of unit vectors with coordinates up to one, in float32.
constexpr double kDotSlack = 2e-6;
// Squares below it may have been rounded up.
constexpr double kUnderflow = 1e-36;

constexpr std::size_t kStepsPerPulse = 64;

float rounded_up(double x) {
  if (!(x < 1e38)) return std::numeric_limits<float>::infinity();
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

Triangle triangle_of_face(const Placed& placed, std::int32_t face) {
  Triangle t;
  for (int c = 0; c < 3; ++c) {
    const double* v = placed.tree->vertex(placed.tree->face(face)[c]);
    if (placed.pose.identity) {
      std::copy_n(v, 3, t.v[c]);
    } else {
      transform_point(&placed.pose.m[0][0], v, t.v[c]);
    }
  }
  return t;
}

// Squares of the distances of eight pairs of boxes.
Float8 squared_gaps(const Box8& a, const Box8& b) {
  Float8 sum(0.0f);
  for (int k = 0; k < 3; ++k) {
    const Float8 gap = max(max(a.lo[k] - b.hi[k], b.lo[k] - a.hi[k]), Float8(0.0f));
    sum = mul_add(gap, gap, sum);
  }
  return sum;
}

Box8 triangle_boxes(const Leaf& leaf) {
  Box8 b;
  for (int k = 0; k < 3; ++k) {
    const Float8 x = Float8::load(leaf.v[k]), y = Float8::load(leaf.v[3 + k]),
                 z = Float8::load(leaf.v[6 + k]);
    b.lo[k] = min(min(x, y), z);
    b.hi[k] = max(max(x, y), z);
  }
  return b;
}

// How far the corners of eight triangles reach along a direction.
struct Along {
  Float8 corner[3];

  Along(const Leaf& leaf, const float (&n)[3]) {
    for (int c = 0; c < 3; ++c) {
      corner[c] = mul_add(Float8(n[0]), Float8::load(leaf.v[3 * c]),
                          mul_add(Float8(n[1]), Float8::load(leaf.v[3 * c + 1]),
                                  Float8(n[2]) * Float8::load(leaf.v[3 * c + 2])));
    }
  }
  Float8 least() const { return min(min(corner[0], corner[1]), corner[2]); }
  Float8 most() const { return max(max(corner[0], corner[1]), corner[2]); }
};

// Pairs of things by distance; ties in the order of the things.
struct Near {
  float squared;
  Item item;
  bool operator<(const Near& other) const {
    if (squared != other.squared) return squared < other.squared;
    return item.a != other.item.a ? item.a < other.item.a : item.b < other.item.b;
  }
};

struct Step {
  Near near;
  Levels levels;
};

// The search for one pose. The body that gives the frame comes first, whichever that is.
class Search {
 public:
  Search(const Placed& a, const Placed& b, bool swapped, double upper_bound,
         std::vector<Step>& stack, DistanceCounters& counters)
      : a_(a), b_(b), swapped_(swapped), relative_(a, b), stack_(stack), counters_(counters) {
    best_.value = upper_bound;
    tighten();
  }

  void try_faces(std::int32_t face_a, std::int32_t face_b) {
    if (swapped_) std::swap(face_a, face_b);
    offer(triangle_of_face(a_, face_a), triangle_of_face(b_, face_b), face_a, face_b);
  }

  // Until done, or until two triangles are found that meet.
  void run(Ticker& ticker, int worker) {
    const Levels top{a_.tree->boxes().top(), b_.tree->boxes().top()};
    stack_.clear();
    stack_.push_back({{0, {0, 0}}, top});
    for (std::size_t steps = 0; !stack_.empty() && best_.value > 0; ++steps) {
      if (steps % kStepsPerPulse == 0 && !ticker.pulse(worker)) return;
      const Step step = stack_.back();
      stack_.pop_back();
      if (step.near.squared > squared_cut_) continue;
      expand(step.levels, step.near.item);
    }
  }

  // Infinite when nothing is within the upper bound.
  Closest result() const { return best_.face_a < 0 ? Closest{} : best_; }

 private:
  void expand(Levels levels, Item item) {
    ++counters_.node_pairs;
    Near found[kLanes * kLanes];
    const int n = children(levels, item, found);
    std::sort(found, found + n);
    const Levels below = levels.next();
    if (below.done()) {
      for (int i = 0; i < n && best_.value > 0; ++i) {
        if (found[i].squared <= squared_cut_) leaves(found[i].item);
      }
    } else {
      for (int i = n - 1; i >= 0; --i) stack_.push_back({found[i], below});
    }
  }

  // The pairs of children that are near enough.
  int children(Levels levels, Item item, Near* found) const {
    const Hierarchy &a = a_.tree->boxes(), &b = b_.tree->boxes();
    const bool lower_a = levels.lowers_a(), lower_b = levels.lowers_b();
    const Box8 moved = lower_b ? relative_.boxes(b.node(levels.b, item.b))
                               : relative_.boxes(b.box(levels.b, item.b));
    const unsigned columns = lower_b ? b.children(levels.b, item.b) : 1u;
    const std::uint32_t first_b = lower_b ? item.b * kLanes : item.b;
    int n = 0;
    const auto row = [&](const Box& box, std::uint32_t index_a) {
      alignas(32) float squared[kLanes];
      const Float8 gaps = squared_gaps(broadcast(box), moved);
      gaps.store(squared);
      for_each_bit(bits(gaps <= Float8(squared_cut_)) & columns, [&](int c) {
        found[n++] = {squared[c], {index_a, first_b + static_cast<std::uint32_t>(c)}};
      });
    };
    if (!lower_a) {
      row(a.box(levels.a, item.a), item.a);
      return n;
    }
    const Node& node = a.node(levels.a, item.a);
    const Box8 whole = broadcast(hull(moved));
    const unsigned rows = bits(squared_gaps(load_boxes(node), whole) <= Float8(squared_cut_));
    for_each_bit(rows & a.children(levels.a, item.a), [&](int r) {
      row(lane(node, r), item.a * kLanes + static_cast<std::uint32_t>(r));
    });
    return n;
  }

  // Triangles against triangles. Along the direction of the best pair the gap between two
  // triangles is a bound that is almost always tight.
  void leaves(Item item) {
    ++counters_.leaf_pairs;
    const Leaf& a = a_.tree->leaf(item.a);
    Leaf b;
    relative_.leaf(b_.tree->leaf(item.b), b);
    const Float8 most_a = Along(a, direction_).most(), least_b = Along(b, direction_).least();
    if (lowest(least_b) - highest(most_a) > linear_cut_) return;
    alignas(32) float reach[kLanes];
    most_a.store(reach);
    const Box8 boxes_a = triangle_boxes(a);
    const Box8 boxes_b = inflate(triangle_boxes(b), 2 * relative_.error);
    Node rows;
    for (int k = 0; k < 3; ++k) {
      boxes_a.lo[k].store(rows.lo[k]);
      boxes_a.hi[k].store(rows.hi[k]);
    }
    const unsigned live_b = b_.tree->lanes(item.b);
    for_each_bit(a_.tree->lanes(item.a), [&](int r) {
      const Mask8 along = least_b - Float8(reach[r]) <= Float8(linear_cut_);
      if (!(bits(along) & live_b)) return;
      const Mask8 near =
          squared_gaps(broadcast(lane(rows, r)), boxes_b) <= Float8(squared_cut_);
      for_each_bit(bits(along & near) & live_b, [&](int c) {
        try_slots(item.a * kLanes + static_cast<std::uint32_t>(r),
                  item.b * kLanes + static_cast<std::uint32_t>(c));
      });
    });
  }

  void try_slots(std::uint32_t slot_a, std::uint32_t slot_b) {
    offer(a_.triangle(slot_a), b_.triangle(slot_b), a_.tree->face_of(slot_a),
          b_.tree->face_of(slot_b));
  }

  void offer(const Triangle& a, const Triangle& b, std::int32_t face_a, std::int32_t face_b) {
    ++counters_.triangle_pairs;
    const Nearest nearest = swapped_ ? triangle_distance(b, a) : triangle_distance(a, b);
    if (swapped_) std::swap(face_a, face_b);
    if (nearest.value > best_.value) return;
    if (nearest.value == best_.value && best_.face_a >= 0 &&
        (face_a > best_.face_a || (face_a == best_.face_a && face_b >= best_.face_b))) {
      return;
    }
    best_.value = nearest.value;
    best_.face_a = face_a;
    best_.face_b = face_b;
    std::copy_n(&nearest.points[0][0], 6, &best_.points[0][0]);
    tighten();
  }

  // The cuts that belong to the best distance, in the frame.
  void tighten() {
    const double frame = best_.value * relative_.stretch;
    const double cut = frame * (1 + kRelativeSlack) + kDistanceSlack * (2 + frame);
    squared_cut_ = rounded_up(cut * cut * (1 + kRelativeSlack) + kUnderflow);
    linear_cut_ = rounded_up(cut + 4.0 * relative_.error + kDotSlack);
    if (best_.face_a < 0) return;
    // Directions go into the frame by the transpose; any direction gives a valid bound.
    double n[3];
    const int from = swapped_ ? 1 : 0;
    for (int k = 0; k < 3; ++k) {
      n[k] = 0;
      for (int i = 0; i < 3; ++i) {
        n[k] += a_.pose.m[i][k] * (best_.points[1 - from][i] - best_.points[from][i]);
      }
    }
    const double length = std::hypot(n[0], n[1], n[2]);
    for (int k = 0; k < 3; ++k) {
      direction_[k] = length > 0 ? static_cast<float>(n[k] / length) : 0.0f;
    }
  }

  const Placed& a_;
  const Placed& b_;
  const bool swapped_;
  const Relative relative_;
  std::vector<Step>& stack_;
  DistanceCounters& counters_;
  Closest best_;
  float squared_cut_ = 0, linear_cut_ = 0;
  float direction_[3]{};
};

// Among meeting triangles none is closer than another: the pair is the one `collide` finds first.
void name_meeting(const Tree& a, const Tree& b, const double* pose, Closest& closest) {
  Options options;
  options.first = true;
  const Found found = collide_poses(a, b, pose, 1, options, 1, nullptr);
  closest.face_a = static_cast<std::int32_t>(key_a(found.keys[0]));
  closest.face_b =
      static_cast<std::int32_t>(key_b(found.keys[0]) - static_cast<std::uint32_t>(a.face_count()));
  const Nearest nearest = triangle_distance(triangle_of_face({&a, Pose()}, closest.face_a),
                                            triangle_of_face({&b, Pose(pose)}, closest.face_b));
  std::copy_n(&nearest.points[0][0], 6, &closest.points[0][0]);
}

double size_in_world(const Placed& p) {
  double stretch = 0;
  for (const auto& row : p.pose.m) {
    for (int k = 0; k < 3; ++k) stretch = std::max(stretch, std::fabs(row[k]));
  }
  return stretch / p.tree->frame().scale;
}

struct Worker {
  DistanceCounters counters;
  std::vector<Step> stack;
};

}  // namespace

void DistanceCounters::add(const DistanceCounters& other) {
  node_pairs += other.node_pairs;
  leaf_pairs += other.leaf_pairs;
  triangle_pairs += other.triangle_pairs;
}

Distances distance_poses(const Tree& a, const Tree& b, const double* poses, std::size_t pose_count,
                         double upper_bound, const std::int32_t* hints, int workers,
                         const Ticker::Callback& tick) {
  Distances result;
  result.closest.resize(pose_count);
  if (a.empty() || b.empty()) return result;
  std::vector<Worker> each(static_cast<std::size_t>(workers));
  Ticker ticker(pose_count, tick);
  parallel_for(workers, pose_count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    Worker& own = each[static_cast<std::size_t>(worker)];
    for (std::size_t i = begin; i < end; ++i) {
      const Placed at_rest{&a, Pose()}, moved{&b, Pose(poses + 16 * i)};
      const bool swapped = size_in_world(at_rest) < size_in_world(moved);
      Search search(swapped ? moved : at_rest, swapped ? at_rest : moved, swapped, upper_bound,
                    own.stack, own.counters);
      if (hints && hints[2 * i] >= 0) search.try_faces(hints[2 * i], hints[2 * i + 1]);
      search.run(ticker, worker);
      result.closest[i] = search.result();
      if (result.closest[i].value == 0) name_meeting(a, b, poses + 16 * i, result.closest[i]);
      ticker.done(worker);
    }
  });
  for (const Worker& worker : each) result.counters.add(worker.counters);
  return result;
}

}  // namespace impinge
