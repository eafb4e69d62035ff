#include "solids/winding_counter.hpp"

#include <algorithm>
#include <bit>

#include "geometry/skew_ray.hpp"
#include "solids/face_at.hpp"

namespace impinge::solids {
namespace {

constexpr float kError = static_cast<float>(1.001 * kRounding), kUnit = 0x1p-24f;

}  // namespace

void WindingCounter::count(const PointBlock& points, int begin, int count) {
  points_ = &points;
  begin_ = begin;
  count_ = count;
  for (int k = 0; k < 2; ++k) across_[k] = points.at(axes_.across[k]) + begin;
  along_ = points.at(axes_.along) + begin;
  std::fill_n(winding_, kMost, 0);
  on_face_ = 0;
  const Box column = column_of(points.bounds(begin, begin + count), axes_);
  for_each_leaf(tree_.boxes(), column, [this](std::size_t leaf, const Node& parent) {
    open(leaf, lane(parent, static_cast<int>(leaf % kLanes)));
    return true;
  });
}

void WindingCounter::open(std::size_t index, const Box& box) {
  const int y = axes_.across[0], z = axes_.across[1], x = axes_.along;
  std::uint32_t within = 0, below = 0;
  for (int w = 0; w < count_; w += kLanes) {
    const Float8 py = Float8::load(across_[0] + w), pz = Float8::load(across_[1] + w);
    const Float8 px = Float8::load(along_ + w);
    const Mask8 in_y = (Float8(box.lo[y]) <= py) & (py <= Float8(box.hi[y]));
    const Mask8 in_z = (Float8(box.lo[z]) <= pz) & (pz <= Float8(box.hi[z]));
    within |= bits(in_y & in_z & (px <= Float8(box.hi[x]))) << w;
    below |= bits(Float8(box.lo[x]) > px) << w;
  }
  within &= ~0u >> (kMost - count_);
  if (!within) return;
  const float size = 1.01f * longest_side(box), h = 2 * kError + kUnit * size;
  const float turn = 1.01f * (4 * size * h + 2 * h * h + 4 * kUnit * size * size);
  const float most = 2 * size * size + turn;
  const float side = 1.01f * (3 * (most * h + (size + h) * turn) + 9 * kUnit * most * size);
  const bvh::Leaf& leaf = tree_.leaf(index);
  for_each_bit(within, [&](int i) { test(leaf, index, {turn, side}, i, below >> i & 1); });
}

void WindingCounter::test(const bvh::Leaf& leaf, std::size_t index, const LeafBounds& bounds, int i,
                          bool below) {
  const Float8 py(across_[0][i]), pz(across_[1][i]);
  Float8 y[3], z[3];
  for (int c = 0; c < 3; ++c) {
    y[c] = Float8::load(leaf.v[3 * c + axes_.across[0]]) - py;
    z[c] = Float8::load(leaf.v[3 * c + axes_.across[1]]) - pz;
  }
  const Float8 u = mul_sub(y[1], z[2], z[1] * y[2]);
  const Float8 v = mul_sub(y[2], z[0], z[2] * y[0]);
  const Float8 w = mul_sub(y[0], z[1], z[0] * y[1]);
  const Float8 least = min(min(u, v), w), most = max(max(u, v), w), bound(bounds.turn);
  unsigned doubtful = bits(min(negative(least), most) <= bound) & tree_.lanes(index);
  if (!doubtful) return;
  unsigned front = bits(least > bound) & doubtful, back = bits(negative(bound) > most) & doubtful;
  doubtful &= ~(front | back);
  if (!below) {
    const Float8 px(along_[i]), turns[3] = {u, v, w};
    Float8 sum(0.0f);
    for (int c = 0; c < 3; ++c) {
      sum = mul_add(turns[c], Float8::load(leaf.v[3 * c + axes_.along]) - px, sum);
    }
    const unsigned above = bits(sum > Float8(bounds.side));
    const unsigned under = bits(Float8(-bounds.side) > sum);
    doubtful |= (front | back) & ~(above | under);
    front &= above;
    back &= under;
  }
  winding_[i] += std::popcount(front) - std::popcount(back);
  if (doubtful) test_exactly(index, doubtful, i);
}

void WindingCounter::test_exactly(std::size_t leaf, unsigned lanes, int i) {
  const Corners8& corners = tree_.corners(leaf);
  const SkewRay ray{points_->point(begin_ + i), axes_.along};
  for_each_bit(lanes, [&](int lane) {
    FaceAt at;
    const Passage passage =
        cross(ray, tree_.vertex(corners.id[0][lane]), tree_.vertex(corners.id[1][lane]),
              tree_.vertex(corners.id[2][lane]), at);
    winding_[i] += passage.sign;
    on_face_ |= std::uint32_t{passage.on} << i;
  });
}

}  // namespace impinge::solids
