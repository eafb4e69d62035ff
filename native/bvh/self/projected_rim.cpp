#include "bvh/self/projected_rim.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace impinge::bvh {
namespace {

constexpr float kUnit = 0x1p-24f;

unsigned first_lanes(int n) { return n >= kLanes ? 255u : (1u << n) - 1; }

float largest(float a, float b, float c, float d) {
  return std::max(std::max(std::fabs(a), std::fabs(b)), std::max(std::fabs(c), std::fabs(d)));
}

}  // namespace

ProjectedRim::ProjectedRim(const Sheets::Rim& rim, const Plane8& plane, const Point4* points,
                           float error)
    : rim_(rim), n_(static_cast<int>(rim.vertices.size())) {
  const Point4& first = points[rim.vertices[0]];
  const Float8 origin[3] = {Float8(first.x), Float8(first.y), Float8(first.z)};
  Float8 size(0.0f);
  for (int i = 0; i < n_; i += kLanes) {
    std::int32_t ids[kLanes];
    for (int k = 0; k < kLanes; ++k) ids[k] = rim.vertices[std::min(i + k, n_ - 1)];
    Point8 arm = gather(points, ids);
    for (int k = 0; k < 3; ++k) {
      arm.at[k] = arm.at[k] - origin[k];
      size = max(size, abs(arm.at[k]));
    }
    const Flat8 seen = plane.flatten(arm);
    seen.x.store(x_ + i);
    seen.y.store(y_ + i);
  }
  // With S the largest arm: an arm is off by e + uS, and what is seen of it, three terms with
  // factors that sum up to 1.77 and four roundings, by 1.8e + 9uS; the rest is for growing boxes.
  off_ = 2 * error + 16 * kUnit * (highest(size) + 4 * error);
}

// Areas are computed in float64, so that only the places themselves are off.
bool ProjectedRim::has_one_outside() const {
  if (rim_.ends.size() == 1) return true;
  int outside = 0;
  for (int begin = 0; const std::int32_t end : rim_.ends) {
    double area = 0, size = 0;
    for (int i = begin + 1; i + 3 < end; ++i) {
      const double px = double{x_[i]} - x_[begin], py = double{y_[i]} - y_[begin];
      const double qx = double{x_[i + 1]} - x_[begin], qy = double{y_[i + 1]} - y_[begin];
      area += px * qy - py * qx;
      size = std::max({size, std::fabs(px), std::fabs(py), std::fabs(qx), std::fabs(qy)});
    }
    const bool clockwise = area < -9.0 * off_ * (size + 4.0 * off_) * (end - begin);
    outside += !clockwise;
    begin = end;
  }
  return outside <= 1;
}

// With D the largest difference of two places and d what a place is off, differences are off by
// h = 2d + uD, and what is made of two products of them by 4Dh + 4uD^2.
float ProjectedRim::bound(float size) const {
  const float all = size + 4 * off_;
  return all * (all * (10 * kUnit) + 9 * off_);
}

// Edges that follow each other go on, or turn to a side.
bool ProjectedRim::bends() const {
  for (int begin = 0; const std::int32_t end : rim_.ends) {
    for (int i = begin; i < end - 2; i += kLanes) {
      const Float8 x = Float8::loadu(x_ + i + 1), y = Float8::loadu(y_ + i + 1);
      const Float8 px = Float8::loadu(x_ + i) - x, py = Float8::loadu(y_ + i) - y,
                   qx = Float8::loadu(x_ + i + 2) - x, qy = Float8::loadu(y_ + i + 2) - y;
      const Float8 size = max(max(abs(px), abs(py)), max(abs(qx), abs(qy))) + Float8(4 * off_);
      const Float8 least = size * mul_add(size, Float8(10 * kUnit), Float8(9 * off_));
      const Float8 turn = mul_sub(px, qy, py * qx), on = negative(mul_add(px, qx, py * qy));
      const unsigned live = first_lanes(end - 2 - i);
      if ((bits((abs(turn) > least) | (on > least)) & live) != live) return false;
    }
    begin = end;
  }
  return true;
}

// All others: by their boxes, then one by one.
bool ProjectedRim::is_parted() {
  make_boxes();
  for (int i = 0; i < n_; ++i) {
    const Float8 left(left_[i]), right(right_[i]), low(low_[i]), high(high_[i]);
    for (int j = (i + 2) / kLanes * kLanes; j < n_; j += kLanes) {
      unsigned near = bits((Float8::load(left_ + j) <= right) & (left <= Float8::load(right_ + j)) &
                           (Float8::load(low_ + j) <= high) & (low <= Float8::load(high_ + j)));
      if (j < i + 2) near &= ~first_lanes(i + 2 - j);
      for (; near; near &= near - 1) {
        if (!parted(i, j + std::countr_zero(near))) return false;
      }
    }
  }
  return true;
}

// Grown by what places are off; nowhere for what is no edge.
void ProjectedRim::make_boxes() {
  constexpr float kNowhere = 1e18f;
  for (int i = 0; i < n_; i += kLanes) {
    const Float8 x = Float8::load(x_ + i), y = Float8::load(y_ + i);
    const Float8 next_x = Float8::loadu(x_ + i + 1), next_y = Float8::loadu(y_ + i + 1);
    (min(x, next_x) - Float8(off_)).store(left_ + i);
    (max(x, next_x) + Float8(off_)).store(right_ + i);
    (min(y, next_y) - Float8(off_)).store(low_ + i);
    (max(y, next_y) + Float8(off_)).store(high_ + i);
  }
  const auto remove = [&](int i) {
    left_[i] = kNowhere;
    right_[i] = -kNowhere;
  };
  for (const std::int32_t end : rim_.ends) {
    remove(end - 2);
    remove(end - 1);
  }
  for (int i = n_; i % kLanes; ++i) remove(i);
}

bool ProjectedRim::parted(int i, int j) const {
  const auto& id = rim_.vertices;
  if (id[i] == id[j]) return turns(i, i + 1, j + 1);
  if (id[i] == id[j + 1]) return turns(i, i + 1, j);
  if (id[i + 1] == id[j]) return turns(i + 1, i, j + 1);
  if (id[i + 1] == id[j + 1]) return turns(i + 1, i, j);
  return beside(i, j) || beside(j, i);
}

// Whether p and q are in different directions.
bool ProjectedRim::turns(int at, int p, int q) const {
  const float px = x_[p] - x_[at], py = y_[p] - y_[at];
  const float qx = x_[q] - x_[at], qy = y_[q] - y_[at];
  const float least = bound(largest(px, py, qx, qy));
  return std::fabs(px * qy - py * qx) > least || -(px * qx + py * qy) > least;
}

// Whether edge j is on one side of the line through edge i.
bool ProjectedRim::beside(int i, int j) const {
  const float x = x_[i + 1] - x_[i], y = y_[i + 1] - y_[i];
  const float px = x_[j] - x_[i], py = y_[j] - y_[i];
  const float qx = x_[j + 1] - x_[i], qy = y_[j + 1] - y_[i];
  const float least = bound(std::max(largest(x, y, px, py), largest(qx, qy, 0, 0)));
  const float p = x * py - y * px, q = x * qy - y * qx;
  return std::min(p, q) > least || -std::max(p, q) > least;
}

}  // namespace impinge::bvh
