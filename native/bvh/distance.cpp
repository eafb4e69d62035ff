#include "bvh/distance.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/collide.hpp"
#include "bvh/flats.hpp"
#include "bvh/front.hpp"
#include "bvh/gaps.hpp"
#include "bvh/sweep.hpp"
#include "geometry/triangle_distance.hpp"
#include "geometry/weld.hpp"
#include "parallel/pool.hpp"

namespace impinge {
namespace {

// A pair is skipped when a lower bound exceeds the best distance by more than all roundings; see
// docs/exactness.md. Units are 2^-24 for floats and 2^-53 for doubles.
//
// Squares, roots and quotients that make up a bound round some six times: 32 units.
constexpr double kRelativeSlack = 0x1p-19;
// Distances of triangles are at most 20 units of the size of the pair too small, and directions
// take 20 more: 512 units.
constexpr double kFloat64Slack = 0x1p-44;
// A vertex of each body adds sqrt(3) errors to a dot product with a unit vector, and rounding it
// adds 3 sqrt(3) units of the coordinates: 4 errors and 16 units.
constexpr double kDotErrors = 4, kDotRounding = 0x1p-20;
// Boxes of triangles are grown by an error for each body, and round once: 2 errors and 2 units.
constexpr double kBoxErrors = 2, kBoxRounding = 0x1p-23;
// Squares below it may have been rounded up.
constexpr double kUnderflow = 1e-36;

constexpr std::size_t kStepsPerPulse = 64;
// Pairs followed down for the first bound.
constexpr int kBeam = 16;
// Sweeps that only improve the bound, as long as each gains this much.
constexpr int kEarlySweeps = 3;
constexpr double kGain = 1e-4;
// Pairs of leaves looked into for a better bound, before all of them are.
constexpr std::ptrdiff_t kProbes = 4;
// Better lines between two triangles that are tried before their distance is computed.
constexpr int kTurns = 3;
// Ties from which on whole leaves are checked for them.
constexpr std::size_t kManyTies = 256;

double farthest(const double (&v)[3]) {
  return std::max({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])});
}

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

// The longest image of a unit vector of its frame, per coordinate; row sums are three times it.
double size_in_world(const Placed& p) {
  double stretch = 0;
  for (const auto& row : p.pose.m) {
    for (int k = 0; k < 3; ++k) stretch = std::max(stretch, std::fabs(row[k]));
  }
  return stretch / p.tree->frame().scale;
}

struct Step {
  Near near;
  Levels levels;
};

// Memory of a worker, kept from pose to pose.
struct Scratch {
  Flats flats_a, flats_b;
  Sweep sweep;
  std::vector<Step> stack;
};

// The search for one pose. The body that gives the frame comes first, whichever that is.
class Search {
 public:
  Search(const Placed& a, const Placed& b, bool swapped, double upper_bound, Scratch& scratch,
         DistanceCounters& counters)
      : a_(a),
        b_(b),
        swapped_(swapped),
        relative_(a, b),
        scratch_(scratch),
        stack_(scratch.stack),
        counters_(counters),
        size_(6 * (size_in_world(a) + size_in_world(b))),
        reach_(1 + relative_.widening + farthest(relative_.shift)) {
    cuts_.margin = rounded_up(kBoxErrors * relative_.error + kBoxRounding * reach_);
    best_.value = upper_bound;
    tighten();
  }

  void try_faces(std::int32_t face_a, std::int32_t face_b) {
    if (swapped_) std::swap(face_a, face_b);
    offer(triangle_of_face(a_, face_a), triangle_of_face(b_, face_b), face_a, face_b);
  }

  // Down a few of the nearest children of each level, for a first bound.
  void dive() {
    Near beam[kBeam] = {{0, {0, 0}}};
    Near found[kBeam + kLanes * kLanes];
    int width = 1;
    Levels levels{a_.tree->boxes().top(), b_.tree->boxes().top()};
    for (; !levels.done(); levels = levels.next()) {
      int n = 0;
      float cut = cuts_.squared;
      for (int i = 0; i < width; ++i) {
        n += children(levels, beam[i].item, direction(levels, beam[i].item), cut, found + n);
        if (n < kBeam) continue;
        // What is farther than the last of them need not be looked at.
        std::nth_element(found, found + kBeam - 1, found + n);
        n = kBeam;
        cut = found[kBeam - 1].bound;
      }
      width = n;
      std::copy_n(found, width, beam);
    }
    probe_first(beam, beam + width);
  }

  // Looks along the line between the closest points so far. What a plane nearly separates has few
  // leaves that reach far enough there; then all their pairs are tried and the search is over.
  // False when they are too many.
  bool sweep(Ticker& ticker, int worker) {
    const Tree &a = *a_.tree, &b = *b_.tree;
    Sweep& sweep = scratch_.sweep;
    for (int round = 0; best_.face_a >= 0 && !meets(); ++round) {
      if (!sweep.gather(a, b, closest_)) return false;
      if (round < kEarlySweeps && sweep.worth_a_look()) {
        const double before = best_.value;
        std::vector<Near>& few = sweep.look(a, b, relative_, cuts_);
        probe_first(few.data(), few.data() + few.size());
        if (best_.value < before * (1 - kGain)) continue;
      }
      std::vector<Near>& pairs = sweep.pairs(a, b, relative_, cuts_);
      probe_first(pairs.data(), pairs.data() + pairs.size());
      std::erase_if(pairs, [&](const Near& near) { return near.bound > cuts_.linear; });
      std::sort(pairs.begin(), pairs.end());
      for (std::size_t i = 0; i < pairs.size() && !meets(); ++i) {
        if (pairs[i].bound > cuts_.linear) break;
        if (i % kStepsPerPulse == 0 && !ticker.pulse(worker)) break;
        leaves(pairs[i].item, closest_);
      }
      return true;
    }
    return meets();
  }

  // Until done, or until two triangles are found that meet.
  void run(Ticker& ticker, int worker) {
    const Levels top{a_.tree->boxes().top(), b_.tree->boxes().top()};
    stack_.clear();
    stack_.push_back({{0, {0, 0}}, top});
    for (std::size_t steps = 0; !stack_.empty() && !meets(); ++steps) {
      if (steps % kStepsPerPulse == 0 && !ticker.pulse(worker)) return;
      const Step step = stack_.back();
      stack_.pop_back();
      if (step.near.bound > cuts_.squared) continue;
      expand(step.levels, step.near.item);
    }
  }

  // Infinite when nothing is within the upper bound.
  Closest result() const { return best_.face_a < 0 ? Closest{} : best_; }

 private:
  bool meets() const { return best_.face_a >= 0 && best_.value == 0; }

  void expand(Levels levels, Item item) {
    ++counters_.node_pairs;
    Near found[kLanes * kLanes];
    const Direction parents = direction(levels, item);
    const int n = children(levels, item, parents, cuts_.squared, found);
    const Levels below = levels.next();
    if (below.done()) {
      for (int i = 0; i < n && !meets(); ++i) {
        if (found[i].bound <= cuts_.squared) leaves(found[i].item, parents);
      }
    } else {
      for (int i = 0; i < n; ++i) stack_.push_back({found[i], below});
    }
  }

  Direction direction(Levels levels, Item item) const {
    return {a_.tree->boxes().box(levels.a, item.a), b_.tree->boxes().box(levels.b, item.b),
            relative_, far_cut_};
  }

  // Normals go from the world to the frame by the transposed matrix.
  Direction between_closest() const {
    double d[3] = {};
    for (int i = 0; i < 3; ++i) {
      const double step = best_.points[1][i] - best_.points[0][i];
      for (int k = 0; k < 3; ++k) d[k] += a_.pose.m[i][k] * (swapped_ ? -step : step);
    }
    return {d, relative_, far_cut_};
  }

  // The pairs of leaves that look closest.
  void probe_first(Near* begin, Near* end) {
    Near* const last = begin + std::min(kProbes, end - begin);
    std::partial_sort(begin, last, end);
    for (; begin < last && !meets(); ++begin) probe(begin->item);
  }

  // The pairs of children that are near enough.
  int children(Levels levels, Item item, const Direction& n, float cut, Near* found) const {
    const Hierarchy &a = a_.tree->boxes(), &b = b_.tree->boxes();
    const bool lower_a = levels.lowers_a(), lower_b = levels.lowers_b();
    const Box8 own_b =
        lower_b ? load_boxes(b.node(levels.b, item.b)) : broadcast(b.box(levels.b, item.b));
    const Box8 moved = relative_.boxes(own_b);
    // Along a direction b's boxes are taken as they are, without the loss of turning them.
    const Float8 least_b = Slab(own_b, n.b).least + Float8(n.start);
    const unsigned columns = lower_b ? b.children(levels.b, item.b) : 1u;
    const std::uint32_t first_b = lower_b ? item.b * kLanes : item.b;
    int count = 0;
    const auto row = [&](const Box& box, float most_a, std::uint32_t index_a) {
      alignas(32) float squared[kLanes];
      const Float8 gaps = squared_gaps(broadcast(box), moved);
      gaps.store(squared);
      const Mask8 near = (gaps <= Float8(cut)) & (least_b <= Float8(most_a));
      for_each_bit(bits(near) & columns, [&](int c) {
        found[count++] = {squared[c], {index_a, first_b + static_cast<std::uint32_t>(c)}};
      });
    };
    if (!lower_a) {
      const Box box = a.box(levels.a, item.a);
      row(box, lowest(Slab(broadcast(box), n.a).most), item.a);
      return count;
    }
    const Node& node = a.node(levels.a, item.a);
    const Box8 own_a = load_boxes(node), whole = broadcast(hull(moved));
    const Float8 most_a = Slab(own_a, n.a).most;
    alignas(32) float reach[kLanes];
    most_a.store(reach);
    const Mask8 rows =
        (squared_gaps(own_a, whole) <= Float8(cut)) & (Float8(lowest(least_b)) <= most_a);
    for_each_bit(bits(rows) & a.children(levels.a, item.a), [&](int r) {
      row(lane(node, r), reach[r], item.a * kLanes + static_cast<std::uint32_t>(r));
    });
    return count;
  }

  // The pair of triangles of two leaves that looks closest.
  void probe(Item item) {
    Leaf b;
    relative_.leaf(b_.tree->leaf(item.b), b);
    float lowest_bound = std::numeric_limits<float>::infinity();
    int row = 0, column = 0;
    // Lanes without a triangle are the last and repeat the one before: they are never less.
    for_each_bit(a_.tree->lanes(item.a), [&](int r) {
      alignas(32) float bound[kLanes];
      Between(a_.tree->leaf(item.a), r, b).gaps().store(bound);
      const float* least = std::min_element(bound, bound + kLanes);
      if (*least >= lowest_bound) return;
      lowest_bound = *least;
      row = r;
      column = static_cast<int>(least - bound);
    });
    if (lowest_bound <= cuts_.linear) try_lanes(item, row, column);
  }

  // Triangles against triangles: ever sharper bounds, then float64. A direction that is known
  // already comes first and settles most.
  void leaves(Item item, const Direction& known) {
    ++counters_.leaf_pairs;
    if (ties_ >= kManyTies && never_first(item)) return;
    const Leaf &a = a_.tree->leaf(item.a), &own_b = b_.tree->leaf(item.b);
    const Float8 far_a = Along(a, known.a).most();
    const Float8 far_b = Along(own_b, known.b).least() + Float8(known.start);
    if (lowest(far_b) > highest(far_a)) return;
    const Direction n = direction({0, 0}, item);
    const Float8 most_a = Along(a, n.a).most();
    const Float8 least_b = Along(own_b, n.b).least() + Float8(n.start);
    if (lowest(least_b) > highest(most_a)) return;
    Leaf b;
    relative_.leaf(own_b, b);
    alignas(32) float reach[kLanes], far[kLanes];
    most_a.store(reach);
    far_a.store(far);
    const Box8 boxes_a = triangle_boxes(a);
    const Box8 boxes_b = inflate(triangle_boxes(b), cuts_.margin);
    const Node rows = spill(boxes_a);
    const unsigned live_b = b_.tree->lanes(item.b);
    for_each_bit(a_.tree->lanes(item.a), [&](int r) {
      const Mask8 along = (least_b <= Float8(reach[r])) & (far_b <= Float8(far[r]));
      if (!(bits(along) & live_b)) return;
      const Mask8 near = squared_gaps(broadcast(lane(rows, r)), boxes_b) <= Float8(cuts_.squared);
      if (!(bits(along & near) & live_b)) return;
      Between between(a, r, b);
      unsigned left = bits(along & near & (between.gaps() <= Float8(cuts_.linear))) & live_b;
      for (int turn = 0; turn < kTurns && left; ++turn) {
        between.turn();
        left &= bits(between.gaps() <= Float8(cuts_.linear));
      }
      for_each_bit(left, [&](int c) { try_lanes(item, r, c); });
    });
  }

  void try_lanes(Item item, int lane_a, int lane_b) {
    const std::uint32_t slot_a = item.a * kLanes + static_cast<std::uint32_t>(lane_a);
    const std::uint32_t slot_b = item.b * kLanes + static_cast<std::uint32_t>(lane_b);
    offer(a_.triangle(slot_a), b_.triangle(slot_b), a_.tree->face_of(slot_a),
          b_.tree->face_of(slot_b));
  }

  // Whether it is to be named if it is as close as the best.
  bool comes_first(std::int32_t face_a, std::int32_t face_b) const {
    return best_.face_a < 0 || face_a < best_.face_a ||
           (face_a == best_.face_a && face_b < best_.face_b);
  }

  // Whether the leaves lie across an axis, no closer than the best pair, and come after it.
  bool never_first(Item item) {
    const Flat &a = scratch_.flats_a.of(a_, item.a), &b = scratch_.flats_b.of(b_, item.b);
    if (swapped_ ? comes_first(b.first_face, a.first_face)
                 : comes_first(a.first_face, b.first_face)) {
      return false;
    }
    for (int k = 0; k < 3; ++k) {
      if (gap_across(a.at[k], b.at[k]) >= best_.value) return true;
    }
    return false;
  }

  void offer(const Triangle& a, const Triangle& b, std::int32_t face_a, std::int32_t face_b) {
    if (swapped_) std::swap(face_a, face_b);
    const bool first = comes_first(face_a, face_b);
    if (!first && flat_gap(a, b) >= best_.value) {
      if (++ties_ == kManyTies) {
        scratch_.flats_a.forget(a_);
        scratch_.flats_b.forget(b_);
      }
      return;
    }
    ++counters_.triangle_pairs;
    const Nearest nearest = swapped_ ? triangle_distance(b, a) : triangle_distance(a, b);
    if (nearest.value > best_.value || (nearest.value == best_.value && !first)) return;
    best_.value = nearest.value;
    best_.face_a = face_a;
    best_.face_b = face_b;
    std::copy_n(&nearest.points[0][0], 6, &best_.points[0][0]);
    tighten();
    closest_ = between_closest();
  }

  // The cuts that belong to the best distance, in the frame.
  void tighten() {
    far_cut_ = (best_.value + kFloat64Slack * (best_.value + size_)) * relative_.stretch;
    const double cut = far_cut_ * (1 + kRelativeSlack);
    cuts_.squared = rounded_up(cut * cut * (1 + kRelativeSlack) + kUnderflow);
    cuts_.linear = rounded_up(cut + kDotErrors * relative_.error + kDotRounding * reach_);
  }

  const Placed& a_;
  const Placed& b_;
  const bool swapped_;
  const Relative relative_;
  Scratch& scratch_;
  std::vector<Step>& stack_;
  DistanceCounters& counters_;
  const double size_;   // no coordinates of a body differ by more
  const double reach_;  // coordinates of both in the frame together are no larger
  Closest best_;
  std::size_t ties_ = 0;  // pairs that were no closer and came later
  Direction closest_;     // between the points of the best pair
  double far_cut_ = 0;    // for what was compared in float64
  Cuts cuts_;
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

struct Worker {
  DistanceCounters counters;
  Scratch scratch;
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
                    own.scratch, own.counters);
      if (hints && hints[2 * i] >= 0) search.try_faces(hints[2 * i], hints[2 * i + 1]);
      search.dive();
      if (!search.sweep(ticker, worker)) search.run(ticker, worker);
      result.closest[i] = search.result();
      if (result.closest[i].value == 0) name_meeting(a, b, poses + 16 * i, result.closest[i]);
      ticker.done(worker);
    }
  });
  for (const Worker& worker : each) result.counters.add(worker.counters);
  return result;
}

}  // namespace impinge
