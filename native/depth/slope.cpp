#include "depth/slope.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "depth/distance_to.hpp"
#include "depth/faces_near.hpp"
#include "depth/unit_normal.hpp"

namespace impinge::depth {
namespace {

constexpr double kLeastCosine = 1e-3;  // much more than rounding
constexpr double kOpposite = -0.999;
constexpr std::size_t kManyFaces = 48;
constexpr int kTries = 16, kDirections = 4;
constexpr double kFlat = 1e-12;

Vector sum(const Vector& u, const Vector& v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }

Vector unit(const Vector& v) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? scaled(v, 1 / length) : v;
}

bool is_near(const CellView& cell, const Triangle& t) {
  return point_distance(cell.centre, t).value <= cell.reach * (1 + 1e-9);
}

// How far along a direction the part of a triangle within a ball around zero is, at least: not less
// than its corners, nor than the disc of its plane in the ball.
double least_along(const Triangle& t, const double* centre, double radius, const Vector& u) {
  double least = INFINITY;
  for (int k = 0; k < 3; ++k) least = std::min(least, dot(u, from_to(centre, t[k])));
  const Vector n = unit_normal(t);
  const double height = dot(n, from_to(centre, t[0])), cosine = dot(n, u);
  const double disc = std::sqrt(std::max(radius * radius - height * height, 0.0));
  const double sine = std::sqrt(std::max(1 - cosine * cosine, 0.0));
  return std::max(least, height * cosine - disc * sine);
}

// A point within reach that is not before the cell in a direction.
std::optional<Vector> beside(const CellView& cell, const Vector& u) {
  const double depth =
      std::abs(u.x) * cell.half[0] + std::abs(u.y) * cell.half[1] + std::abs(u.z) * cell.half[2];
  const double least = depth + kFlat * (cell.reach + depth), scale = cell.tree.frame().scale;
  const double along[3] = {u.x, u.y, u.z};
  std::optional<Vector> found;
  for_each_face_near(
      cell.tree, cell.centre, cell.reach,
      [&](const Triangle& t, std::int32_t) {
        if (least_along(t, cell.centre, cell.reach, u) > least || !is_near(cell, t)) return true;
        found = unit(from_to(cell.centre, point_distance(cell.centre, t).point));
        return false;
      },
      [&](const double* lo, const double* hi) {
        double lowest = 0;
        for (int k = 0; k < 3; ++k) lowest += std::min(along[k] * lo[k], along[k] * hi[k]);
        return lowest <= least * scale;
      });
  return found;
}

// None when they are certainly not on one side, or too many.
std::vector<Vector> normals_near(const CellView& cell) {
  std::vector<Vector> normals;
  const bool all =
      for_each_face_near(cell.tree, cell.centre, cell.reach, [&](const Triangle& t, std::int32_t) {
        const Vector n = unit_normal(t);
        if (dot(n, n) == 0 || !is_near(cell, t)) return true;
        if (!normals.empty() && dot(n, normals[0]) < kOpposite) return false;
        normals.push_back(n);
        return normals.size() <= kManyFaces;
      });
  return all ? normals : std::vector<Vector>();
}

// Of the faces within reach of a cell, how high the highest is over a plane; the search ends when
// that is above the most.
class HighestFace {
 public:
  HighestFace(const CellView& cell, const double* at, const Vector& up, double most)
      : cell_(cell), at_(at), up_(up), most_(most), height_(kFlat * cell.reach) {
    const Frame& frame = cell.tree.frame();
    const double along[3] = {up.x, up.y, up.z};
    double reach = 0, centre = 0;
    for (int k = 0; k < 3; ++k) {
      const double place = (cell.centre[k] - frame.centre[k]) * frame.scale;
      place_[k] = static_cast<float>(place);
      along_[k] = static_cast<float>(along[k]);
      reach = std::max(reach, std::abs(place));
      centre += along[k] * (frame.centre[k] - at[k]);
    }
    // places, boxes and products are rounded to floats
    slack_ = 32 * kRounding * (reach + 1);
    const double radius = cell.reach * frame.scale + slack_;
    squared_ = static_cast<float>(radius * radius * (1 + 0x1p-16));
    base_ = centre;
  }

  double find() {
    open(cell_.tree.boxes().top(), 0);
    return height_;
  }

 private:
  // In the scale of the tree; higher boxes first.
  void open(int level, std::size_t index) {
    if (level == 0) return open_leaf(index);
    const Node& node = cell_.tree.boxes().node(level, index);
    Float8 squared(0.0f), top(0.0f);
    for (int k = 0; k < 3; ++k) {
      const Float8 p(place_[k]), lo = Float8::load(node.lo[k]), hi = Float8::load(node.hi[k]);
      const Float8 gap = max(max(lo - p, p - hi), Float8(0.0f));
      squared = mul_add(gap, gap, squared);
      top = mul_add(Float8(along_[k]), along_[k] > 0 ? hi : lo, top);
    }
    unsigned near = bits(squared <= Float8(squared_)) & cell_.tree.boxes().children(level, index);
    alignas(32) float tops[kLanes];
    top.store(tops);
    while (near && height_ <= most_) {
      int best = std::countr_zero(near);
      for_each_bit(near, [&](int lane) { best = tops[lane] > tops[best] ? lane : best; });
      near &= ~(1u << best);
      if (base_ + (tops[best] + slack_) / cell_.tree.frame().scale <= height_) return;
      open(level - 1, index * kLanes + static_cast<std::size_t>(best));
    }
  }

  void open_leaf(std::size_t leaf) {
    for_each_bit(cell_.tree.lanes(leaf), [&](int c) {
      const Triangle t = bvh::PlacedTree{&cell_.tree, Pose()}.triangle(leaf * kLanes +
                                                                       static_cast<std::size_t>(c));
      for (int k = 0; k < 3; ++k) height_ = std::max(height_, dot(up_, from_to(at_, t[k])));
    });
  }

  const CellView& cell_;
  const double* at_;
  const Vector up_;
  const double most_;
  double height_, base_, slack_;
  float place_[3], along_[3], squared_;
};

}  // namespace

bool is_before(const CellView& cell, Vector towards) {
  for (int i = 0; i < kDirections; ++i) {
    const auto other = beside(cell, towards);
    if (!other) return true;
    // between both
    towards = unit(sum(towards, *other));
    if (dot(towards, *other) < kLeastCosine) return false;
  }
  return false;
}

bool faces_one_way(const CellView& cell) {
  const std::vector<Vector> normals = normals_near(cell);
  if (normals.empty()) return false;
  Vector mean{0, 0, 0};
  for (const Vector& n : normals) mean = sum(mean, n);
  mean = scaled(mean, 1 / static_cast<double>(normals.size()));
  // what is on the wrong side draws the plane to it
  for (int i = 0; i < kTries; ++i) {
    const double least = kLeastCosine * std::sqrt(dot(mean, mean));
    const Vector* worst = nullptr;
    double lowest = least;
    for (const Vector& n : normals) {
      if (const double height = dot(n, mean); height <= lowest) {
        lowest = height;
        worst = &n;
      }
    }
    if (!worst) return true;
    mean = sum(mean, scaled(*worst, least - lowest + 0.1));
  }
  return false;
}

double wall_height(const CellView& cell, const double* at, const Vector& outward, double most,
                   const DistanceTo& to) {
  if (!(dot(outward, outward) > 0)) return INFINITY;
  const double along[3] = {outward.x, outward.y, outward.z};
  const double base = dot(outward, from_to(at, cell.centre));
  const double height = HighestFace(cell, at, outward, most).find();
  // nothing of the boundary is beyond, so all points there are on the side of one of them
  if (height > most || base + cell.reach <= height) return INFINITY;
  double beyond[3];
  for (int k = 0; k < 3; ++k) beyond[k] = cell.centre[k] + cell.reach * along[k];
  return to.is_outside(beyond) ? height : INFINITY;
}

}  // namespace impinge::depth
