#include "mesh/ear_clipping.hpp"

#include <cmath>
#include <utility>

#include "geometry/orient.hpp"

namespace impinge {
namespace {

constexpr std::int32_t kGone = -1;

// How often the outline may come to the tip of an ear; more would have to be looked at each time.
constexpr int kMostAtTip = 64;

}  // namespace

bool EarClipping::run(std::span<const PlanePoint> outline, double slack, std::int32_t* triangles) {
  points_ = outline;
  slack_ = slack;
  out_ = triangles;
  link();
  drop_repeated();
  classify();
  while (left_ > 3) {
    if (cut_some()) continue;
    const std::int32_t corner = straight();
    if (corner == kGone) return false;
    cut(corner);
  }
  const std::int32_t last = some_, before = previous_[last], after = next_[last];
  out_[0] = before, out_[1] = last, out_[2] = after;
  return turn(before, last, after) >= 0;
}

void EarClipping::link() {
  const auto n = static_cast<std::int32_t>(points_.size());
  left_ = n;
  some_ = 0;
  round_ = 0;
  previous_.resize(n);
  next_.resize(n);
  for (std::int32_t i = 0; i < n; ++i) {
    previous_[i] = i == 0 ? n - 1 : i - 1;
    next_[i] = i == n - 1 ? 0 : i + 1;
  }
}

// The triangle at a side without length has no area, whichever it is.
void EarClipping::drop_repeated() {
  const auto n = static_cast<std::int32_t>(points_.size());
  for (std::int32_t i = 0; i < n && left_ > 3; ++i) {
    if (points_[i] == points_[next_[i]]) unlink(i);
  }
}

void EarClipping::classify() {
  const auto n = static_cast<std::int32_t>(points_.size());
  turn_.assign(n, 0);
  in_tree_.assign(n, 0);
  seen_.assign(n, 0);
  now_.clear();
  later_.clear();
  straight_.clear();
  first_straight_ = 0;
  std::vector<std::int32_t>& blunt = now_;
  for (std::int32_t i = 0; i < n; ++i) {
    if (next_[i] == kGone) continue;
    turn_[i] = static_cast<std::int8_t>(turn(previous_[i], i, next_[i]));
    if (turn_[i] > 0) {
      later_.push_back(i);
    } else {
      if (turn_[i] == 0) straight_.push_back(i);
      in_tree_[i] = 1;
      blunt.push_back(i);
    }
  }
  // Of all corners in an ear, the one farthest from its base does not turn left.
  tree_.build(points_, blunt);
}

// One round. Neighbours of an ear wait for the next one: ears side by side would make a fan of
// long triangles.
bool EarClipping::cut_some() {
  const std::int32_t before = left_;
  ++round_;
  now_.clear();
  std::swap(now_, later_);
  for (const std::int32_t corner : now_) {
    if (left_ == 3) break;
    if (next_[corner] != kGone && seen_[corner] != round_ && is_ear(corner)) cut(corner);
  }
  return left_ < before;
}

void EarClipping::cut(std::int32_t corner) {
  const std::int32_t before = previous_[corner], after = next_[corner];
  unlink(corner);
  if (in_tree_[corner]) tree_.remove(corner);
  update(before);
  update(after);
}

void EarClipping::unlink(std::int32_t corner) {
  const std::int32_t before = previous_[corner], after = next_[corner];
  out_[0] = before, out_[1] = corner, out_[2] = after;
  out_ += 3;
  next_[before] = after;
  previous_[after] = before;
  next_[corner] = kGone;
  some_ = after;
  --left_;
}

void EarClipping::update(std::int32_t corner) {
  turn_[corner] = static_cast<std::int8_t>(turn(previous_[corner], corner, next_[corner]));
  if (turn_[corner] == 0) straight_.push_back(corner);
  if (turn_[corner] <= 0) return;
  if (std::exchange(in_tree_[corner], 0)) tree_.remove(corner);
  if (std::exchange(seen_[corner], round_) != round_) later_.push_back(corner);
}

bool EarClipping::is_ear(std::int32_t corner) {
  if (turn_[corner] <= 0) return false;
  const PlanePoint triangle[3] = {points_[previous_[corner]], points_[corner],
                                  points_[next_[corner]]};
  int at_tip = 0;
  return !tree_.any_near(triangle, [&](std::int32_t other) {
    at_tip += points_[other] == triangle[1];
    return at_tip > kMostAtTip || blocks(other, corner);
  });
}

// What only touches the ear is in the way when the outline goes on from there into it.
bool EarClipping::blocks(std::int32_t other, std::int32_t corner) const {
  const std::int32_t before = previous_[corner], after = next_[corner];
  if (other == before || other == corner || other == after) return false;
  const int first = turn(before, corner, other);
  if (first < 0) return false;
  const int second = turn(corner, after, other);
  if (second < 0) return false;
  const int base = turn(after, before, other);
  if (base < 0) return false;
  const PlanePoint& p = points_[other];
  if (p == points_[before] || p == points_[after]) return false;
  if (p == points_[corner])
    return in_corner(corner, previous_[other]) || in_corner(corner, next_[other]);
  if (base == 0) return true;
  if (first == 0) return on_left(before, corner, other);
  if (second == 0) return on_left(corner, after, other);
  return true;
}

bool EarClipping::on_left(std::int32_t a, std::int32_t b, std::int32_t other) const {
  return turn(a, b, previous_[other]) > 0 || turn(a, b, next_[other]) > 0;
}

bool EarClipping::in_corner(std::int32_t corner, std::int32_t other) const {
  return turn(previous_[corner], corner, other) > 0 && turn(corner, next_[corner], other) > 0;
}

// A corner without a turn, to be cut when nothing else can be: that changes nothing of what the
// outline encloses.
std::int32_t EarClipping::straight() {
  while (first_straight_ < straight_.size()) {
    const std::int32_t corner = straight_[first_straight_++];
    if (next_[corner] != kGone && turn_[corner] == 0) return corner;
  }
  return kGone;
}

int EarClipping::turn(std::int32_t a, std::int32_t b, std::int32_t c) const {
  const PlanePoint &p = points_[a], &q = points_[b], &r = points_[c];
  if (slack_ > 0 && std::abs((p.x - r.x) * (q.y - r.y) - (p.y - r.y) * (q.x - r.x)) <= slack_) {
    return 0;
  }
  return orient2d(p.x, p.y, q.x, q.y, r.x, r.y);
}

}  // namespace impinge
