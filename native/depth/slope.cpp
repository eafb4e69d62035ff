#include "depth/slope.hpp"

#include <cmath>
#include <optional>
#include <vector>

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
        if (least_along(t, cell.centre, cell.reach, u) > least) return true;
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
        if (dot(n, n) == 0) return true;
        if (!normals.empty() && dot(n, normals[0]) < kOpposite) return false;
        normals.push_back(n);
        return normals.size() <= kManyFaces;
      });
  return all ? normals : std::vector<Vector>();
}

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

bool is_wall(const CellView& cell, const double* at, const Vector& outward) {
  std::size_t faces = 0;
  return for_each_face_near(cell.tree, cell.centre, cell.reach,
                            [&](const Triangle& t, std::int32_t) {
                              for (int k = 0; k < 3; ++k) {
                                if (dot(outward, from_to(at, t[k])) > kFlat * cell.reach)
                                  return false;
                              }
                              return ++faces <= kManyFaces;
                            });
}

}  // namespace impinge::depth
