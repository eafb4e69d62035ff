#include "contact_points/skin.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"
#include "mesh/weld.hpp"

namespace impinge::contact_points {
namespace {

// The angle with this sine and cosine, which need not have length one; between 0 and pi. Right to
// 1e-9, quicker than the library's, and the same bits on every machine.
double angle_of(double sine, double cosine) {
  constexpr double kQuarter = 0.78539816339744831, kHalf = 2 * kQuarter;
  const double x = std::abs(cosine);
  const double small = std::min(sine, x), large = std::max(sine, x);
  const bool wide = small > 0.41421356237309503 * large;
  const double r = wide ? (small - large) / (small + large) : small / large;
  const double q = r * r;
  double sum = 1.0 / 21;
  for (const double term : {19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0}) {
    sum = 1 / term - q * sum;
  }
  double angle = r * sum + (wide ? kQuarter : 0);
  if (sine > x) angle = kHalf - angle;
  return cosine < 0 ? 2 * kHalf - angle : angle;
}

}  // namespace

Skin::Skin(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
           std::size_t face_count, int workers)
    : vertices_(vertices), vertex_count_(vertex_count), faces_(faces), face_count_(face_count) {
  const std::vector<std::int32_t> first = weld(vertices, vertex_count, workers);
  corners_ = faces;
  if (!first.empty()) {
    welded_.resize(3 * face_count);
    for (std::size_t i = 0; i < welded_.size(); ++i) welded_[i] = first[std::size_t(faces[i])];
    corners_ = welded_.data();
  }
  first_around_.assign(vertex_count + 1, 0);
  for (std::size_t i = 0; i < 3 * face_count; ++i) ++first_around_[std::size_t(corners_[i]) + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (first_around_[v + 1]) used_.push_back(static_cast<std::int32_t>(v));
    first_around_[v + 1] += first_around_[v];
  }
  around_.resize(3 * face_count);
  std::vector<std::size_t> next(first_around_.begin(), first_around_.end() - 1);
  for (std::size_t i = 0; i < 3 * face_count; ++i) {
    around_[next[std::size_t(corners_[i])]++] = static_cast<std::int32_t>(i / 3);
  }
}

void Skin::move(const double* vertices) {
  const std::lock_guard<std::mutex> lock(mutex_);
  vertices_ = vertices;
  measured_ = fitted_ = false;
  octree_.reset();
}

Triangle Skin::triangle(std::int32_t face) const {
  Triangle t;
  for (int c = 0; c < 3; ++c) std::copy_n(vertex(this->face(face)[c]), 3, t.v[c]);
  return t;
}

Vector Skin::face_normal(std::int32_t face) const {
  const std::int32_t* c = this->face(face);
  return unit(cross(from_to(vertex(c[0]), vertex(c[1])), from_to(vertex(c[0]), vertex(c[2]))));
}

bool Skin::normal(std::int32_t vertex, Vector& normal) const {
  const std::span<const std::int32_t> faces = around(vertex);
  const double* at = this->vertex(vertex);
  Vector sum{0, 0, 0};
  constexpr std::size_t kMostKept = 16;
  Vector kept[kMostKept];
  std::size_t count = 0;
  for (const std::int32_t face : faces) {
    const std::int32_t* c = corners(face);
    const int here = c[0] == vertex ? 0 : c[1] == vertex ? 1 : 2;
    const Vector u = from_to(at, this->vertex(this->face(face)[(here + 1) % 3]));
    const Vector v = from_to(at, this->vertex(this->face(face)[(here + 2) % 3]));
    const Vector across = cross(u, v);
    const double length = std::sqrt(dot(across, across));
    if (!(length > 0)) continue;
    const Vector n = scaled(across, 1 / length);
    const double angle = angle_of(length, dot(u, v));
    sum = {sum.x + angle * n.x, sum.y + angle * n.y, sum.z + angle * n.z};
    if (count < kMostKept) kept[count] = n;
    ++count;
  }
  normal = unit(sum);
  if (count > kMostKept) {
    return std::all_of(faces.begin(), faces.end(), [&](std::int32_t face) {
      const Vector n = face_normal(face);
      return dot(n, normal) > 0 || dot(n, n) == 0;
    });
  }
  return count > 0 &&
         std::all_of(kept, kept + count, [&](const Vector& n) { return dot(n, normal) > 0; });
}

void Skin::measure() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (measured_) return;
  bounds_ = kNoBounds;
  if (used_.size() == vertex_count_) {
    bounds_ = bounds_of(vertices_, vertex_count_);
  } else {
    for (const std::int32_t v : used_) include(bounds_, vertex(v), vertex(v));
  }
  extent_ = 0;
  for (int k = 0; k < 3; ++k) extent_ = std::max(extent_, bounds_.hi[k] - bounds_.lo[k]);
  measured_ = true;
}

Duties Skin::duties_of(std::int32_t face) const {
  Duties duties{0, 0};
  const std::int32_t* c = corners(face);
  for (int i = 0; i < 3; ++i) {
    const std::int32_t from = c[i], to = c[(i + 1) % 3];
    const auto bit = static_cast<std::uint8_t>(1 << i);
    if (around(from)[0] == face) duties.vertices |= bit;
    if (from == to) continue;
    for (const std::int32_t other : around(from)) {
      if (!is_corner(to, other)) continue;
      if (other == face) duties.edges |= bit;
      break;
    }
  }
  return duties;
}

// They follow from who is whose neighbour, and stay when vertices move.
void Skin::share_duties(int workers) const {
  constexpr std::size_t kGrain = 4096;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (duties_.size() == face_count_) return;
  duties_.resize(face_count_);
  parallel_for(workers, face_count_, kGrain, [&](std::size_t i, std::size_t e, int) {
    for (; i < e; ++i) duties_[i] = duties_of(static_cast<std::int32_t>(i));
  });
}

void Skin::prepare(Along along, int workers) const {
  measure();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (along == Along::octree) {
    if (octree_) return;
    octree_ =
        std::make_unique<const octree::Octree>(vertices_, faces_, face_count_, bounds_, workers);
    return;
  }
  if (!tree_) {
    tree_ = std::make_unique<bvh::Tree>(vertices_, vertex_count_, faces_, face_count_, workers);
  } else if (!fitted_) {
    tree_->refit(vertices_, workers);
  }
  fitted_ = true;
}

}  // namespace impinge::contact_points
