#include "mesh/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/orient.hpp"
#include "geometry/vec.hpp"
#include "mesh/ear_clipping.hpp"

namespace impinge {
namespace {

// The limit of the exact signs.
constexpr double kLargest = 1e100;

using Polygon = std::span<const std::int64_t>;

bool is_usable(const double* vertices, std::size_t n, Polygon polygon) {
  return std::all_of(polygon.begin(), polygon.end(), [&](std::int64_t corner) {
    if (corner < 0 || static_cast<std::size_t>(corner) >= n) return false;
    const double* p = vertices + 3 * corner;
    return std::abs(p[0]) <= kLargest && std::abs(p[1]) <= kLargest && std::abs(p[2]) <= kLargest;
  });
}

Vector normal_of(const double* vertices, Polygon polygon) {
  const double* origin = vertices + 3 * polygon[0];
  Vector sum{0, 0, 0};
  Vector spoke = from_to(origin, vertices + 3 * polygon[1]);
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vector following = from_to(origin, vertices + 3 * polygon[i]);
    const Vector part = cross(spoke, following);
    sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z};
    spoke = following;
  }
  return sum;
}

// The axis along which to look at the polygon: where its parts cancel each other, which only
// happens to one that crosses itself or has no area, that in which it is thinnest.
int axis_of(const double* vertices, Polygon polygon, const Vector& normal) {
  if (max_norm(normal) > 0) return largest_axis(normal);
  Vector extent{0, 0, 0};
  for (const std::int64_t corner : polygon) {
    const Vector spoke = from_to(vertices + 3 * polygon[0], vertices + 3 * corner);
    extent = {std::max(extent.x, std::abs(spoke.x)), std::max(extent.y, std::abs(spoke.y)),
              std::max(extent.z, std::abs(spoke.z))};
  }
  if (extent.z <= extent.x && extent.z <= extent.y) return 2;
  return extent.x <= extent.y ? 0 : 1;
}

// All turns to the left, and once around in total. Two equal corners hide a turn.
bool is_convex(std::span<const PlanePoint> outline) {
  const std::size_t n = outline.size();
  int reversals = 0;
  const auto ahead = [](const PlanePoint& p, const PlanePoint& q) {
    return p.x < q.x || (p.x == q.x && p.y < q.y);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const PlanePoint &a = outline[i], &b = outline[(i + 1) % n], &c = outline[(i + 2) % n];
    if (a == b || orient2d(a.x, a.y, b.x, b.y, c.x, c.y) < 0) return false;
    reversals += ahead(a, b) != ahead(b, c);
  }
  return reversals == 2;
}

// Times the precision of its coordinates, what that can change of the area of a triangle.
double rounded_area(std::span<const PlanePoint> outline) {
  double reach = 0, extent = 0;
  for (const PlanePoint& p : outline) {
    reach = std::max({reach, std::abs(p.x), std::abs(p.y)});
    extent = std::max({extent, std::abs(p.x - outline[0].x), std::abs(p.y - outline[0].y)});
  }
  return reach * extent;
}

class Triangulation {
 public:
  Triangulation(const double* vertices, std::size_t n) : vertices_(vertices), n_(n) {}

  void run(Polygon polygon, std::int64_t* faces) {
    if (polygon.size() > 3 && is_usable(vertices_, n_, polygon)) {
      project(polygon);
      if (!is_convex(outline_) && cut(polygon, faces)) return;
    }
    for (std::size_t i = 2; i < polygon.size(); ++i, faces += 3) {
      faces[0] = polygon[0], faces[1] = polygon[i - 1], faces[2] = polygon[i];
    }
  }

 private:
  // Seen from where it turns left.
  void project(Polygon polygon) {
    const Vector normal = normal_of(vertices_, polygon);
    const int axis = axis_of(vertices_, polygon, normal);
    int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
    if ((axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z) < 0) std::swap(x, y);
    outline_.clear();
    for (const std::int64_t corner : polygon) {
      outline_.push_back({vertices_[3 * corner + x], vertices_[3 * corner + y]});
    }
  }

  bool cut(Polygon polygon, std::int64_t* faces) {
    triangles_.resize(3 * (polygon.size() - 2));
    if (!find_ears()) return false;
    std::transform(triangles_.begin(), triangles_.end(), faces,
                   [&](std::int32_t corner) { return polygon[corner]; });
    return true;
  }

  // An outline that would touch itself crosses itself once its coordinates are rounded. The normal
  // of a thin one may be wrong, when its area is lost in rounding.
  bool find_ears() {
    const double size = rounded_area(outline_);
    for (const double precision : {0.0, 0x1p-48, 0x1p-20}) {
      for (int side = 0; side < 2; ++side) {
        if (ears_.run(outline_, precision * size, triangles_.data())) return true;
        for (PlanePoint& p : outline_) std::swap(p.x, p.y);
      }
    }
    return false;
  }

  const double* vertices_;
  std::size_t n_;
  std::vector<PlanePoint> outline_;
  std::vector<std::int32_t> triangles_;
  EarClipping ears_;
};

}  // namespace

void triangulate(const double* vertices, std::size_t n, std::span<const std::int64_t> corners,
                 std::span<const std::int64_t> sizes, std::int64_t* faces) {
  Triangulation triangulation(vertices, n);
  for (const std::int64_t size : sizes) {
    triangulation.run(corners.first(size), faces);
    corners = corners.subspan(size);
    faces += 3 * (size - 2);
  }
}

}  // namespace impinge
