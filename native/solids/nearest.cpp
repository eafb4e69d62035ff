#include "solids/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/tree/placed_tree.hpp"
#include "geometry/plane.hpp"

namespace impinge::solids {
namespace {

// Beyond this distance, in sizes of the mesh, floats tell too little.
constexpr double kFar = 0x1p14;

// A point of a mesh is known within kRounding, the point that is asked about, at most a from the
// centre along each axis, within u a, u = 2^-24, and their difference within u (a + 1) more. Such a
// difference is at most 1.8 (a + 1) long. A dot product with it, divided by the length of the other
// vector, passes through 8 roundings at most; the distance in float64 has much finer ones.
double slack_at(double a) {
  return 1.8 * (kRounding + 0x1p-24 * (2 * a + 1)) + 15 * 0x1p-24 * (a + 1);
}

Point8 minus(const Point8& p, const Point8& q) {
  return {{p.at[0] - q.at[0], p.at[1] - q.at[1], p.at[2] - q.at[2]}};
}

// Points of eight triangles that should be closest to zero (Ericson 2005, by the regions around a
// triangle). Whatever is wrong with them, they only serve as directions.
Point8 closest_to_zero(const Point8& a, const Point8& b, const Point8& c) {
  const Float8 zero(0.0f), one(1.0f);
  const Point8 ab = minus(b, a), ac = minus(c, a);
  const Float8 a1 = dot(ab, a), a2 = dot(ac, a), b1 = dot(ab, b), b2 = dot(ac, b);
  const Float8 c1 = dot(ab, c), c2 = dot(ac, c);
  const Float8 va = mul_sub(b1, c2, c1 * b2), vb = mul_sub(c1, a2, a1 * c2),
               vc = mul_sub(a1, b2, b1 * a2);
  const Float8 share = one / (va + vb + vc);
  Float8 v = vb * share, w = vc * share;
  const auto set = [&](Mask8 where, Float8 new_v, Float8 new_w) {
    v = select(where, new_v, v);
    w = select(where, new_w, w);
  };
  const Float8 up = b1 - b2, down = c2 - c1, along = up / (up + down);
  set((va <= zero) & (zero <= up) & (zero <= down), one - along, along);
  set((vb <= zero) & (a2 <= zero) & (zero <= c2), zero, a2 / (a2 - c2));
  set((vc <= zero) & (a1 <= zero) & (zero <= b1), a1 / (a1 - b1), zero);
  set((c2 <= zero) & (c2 <= c1), zero, one);
  set((b1 <= zero) & (b1 <= b2), one, zero);
  set((zero <= a1) & (zero <= a2), zero, zero);
  Point8 q;
  for (int k = 0; k < 3; ++k) q.at[k] = mul_add(v, ab.at[k], mul_add(w, ac.at[k], a.at[k]));
  return q;
}

// No point of a triangle is closer to zero than its corners reach along any direction.
Float8 lower_bounds(const Point8& a, const Point8& b, const Point8& c) {
  const Point8 q = closest_to_zero(a, b, c);
  const Float8 reach = min(min(dot(q, a), dot(q, b)), dot(q, c));
  // a length that is too small for its square makes the bound smaller
  return reach / max(sqrt(dot(q, q)), Float8(1e-12f));
}

}  // namespace

void NearestSearch::find(const double* point, double surplus) {
  point_ = point;
  surplus_ = surplus;
  face_ = -1;
  near_ = kNoPoint;
  const Frame& frame = tree_.frame();
  double a = 0;
  for (int k = 0; k < 3; ++k) {
    at_[k] = (point[k] - frame.centre[k]) * frame.scale;
    place_[k] = static_cast<float>(at_[k]);
    a = std::max(a, std::abs(at_[k]));
  }
  slack_ = slack_at(a);
  set_reach();
  test(slot_);
  if (a < kFar) {
    descend();
  } else {
    test_all();
  }
}

void NearestSearch::set_reach() {
  const double closest = std::max(near_.value - surplus_, 0.0);
  reach_ = static_cast<float>((closest * tree_.frame().scale + slack_) * (1 + 0x1p-20));
  squared_reach_ = reach_ * reach_ * (1 + 0x1p-20f);
}

void NearestSearch::descend() {
  constexpr int kMostLevels = 12;
  Step stack[kMostLevels * kLanes];
  int depth = 0;
  stack[depth++] = {0.0f, tree_.boxes().top(), 0};
  while (depth > 0) {
    const Step step = stack[--depth];
    if (step.squared > squared_reach_) continue;
    if (step.level == 0) {
      test_leaf(step.index);
    } else {
      depth += open(step, stack + depth);
    }
  }
}

// The children that are near enough, the nearest one last.
int NearestSearch::open(const Step& parent, Step* children) const {
  const Node& node = tree_.boxes().node(parent.level, parent.index);
  Float8 squared(0.0f);
  for (int k = 0; k < 3; ++k) {
    const Float8 p(place_[k]), lo = Float8::load(node.lo[k]), hi = Float8::load(node.hi[k]);
    const Float8 gap = max(max(lo - p, p - hi), Float8(0.0f));
    squared = mul_add(gap, gap, squared);
  }
  const unsigned near =
      bits(squared <= Float8(squared_reach_)) & tree_.boxes().children(parent.level, parent.index);
  alignas(32) float at[kLanes];
  squared.store(at);
  int count = 0;
  for_each_bit(near, [&](int c) {
    int place = count++;
    for (; place > 0 && children[place - 1].squared < at[c]; --place) {
      children[place] = children[place - 1];
    }
    children[place] = {at[c], parent.level - 1,
                       parent.index * kLanes + static_cast<std::uint32_t>(c)};
  });
  return count;
}

void NearestSearch::test_leaf(std::size_t index) {
  const bvh::Leaf& leaf = tree_.leaf(index);
  Point8 corner[3];
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) {
      corner[c].at[k] = Float8::load(leaf.v[3 * c + k]) - Float8(place_[k]);
    }
  }
  const Float8 bounds = lower_bounds(corner[0], corner[1], corner[2]);
  alignas(32) float bound[kLanes];
  bounds.store(bound);
  unsigned lanes = tree_.lanes(index);
  const auto drop_far = [&] { lanes &= ~bits(bounds > Float8(reach_)); };
  for (drop_far(); lanes; drop_far()) {
    int best = std::countr_zero(lanes);
    for_each_bit(lanes, [&](int lane) { best = bound[lane] < bound[best] ? lane : best; });
    lanes &= ~(1u << best);
    test(index * kLanes + static_cast<std::size_t>(best));
  }
}

// Where floats tell nothing: by boxes in float64.
void NearestSearch::test_all() {
  const double slack =
      2 * kRounding + 0x1p-48 * std::max({std::abs(at_[0]), std::abs(at_[1]), std::abs(at_[2])});
  for (std::size_t leaf = 0; leaf < tree_.leaf_count(); ++leaf) {
    const Box box = tree_.boxes().box(0, leaf);
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const double gap = std::max({box.lo[k] - at_[k], at_[k] - box.hi[k], 0.0});
      squared += gap * gap;
    }
    if (std::sqrt(squared) > (near_.value * tree_.frame().scale + 2 * slack) * (1 + 0x1p-48))
      continue;
    for_each_bit(tree_.lanes(leaf),
                 [&](int lane) { test(leaf * kLanes + static_cast<std::size_t>(lane)); });
  }
}

void NearestSearch::test(std::size_t slot) {
  const NearPoint near = point_distance(point_, bvh::PlacedTree{&tree_, Pose()}.triangle(slot));
  const std::int32_t face = tree_.face_of(slot);
  if (near.value > near_.value || (near.value == near_.value && face_ >= 0 && face >= face_)) {
    return;
  }
  near_ = near;
  face_ = face;
  slot_ = slot;
  set_reach();
}

}  // namespace impinge::solids
