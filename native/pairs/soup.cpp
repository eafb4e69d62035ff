#include "pairs/soup.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"

namespace impinge {
namespace {

constexpr std::size_t kVertexGrain = 8192;
constexpr std::size_t kTriangleGrain = 4096;  // a multiple of the lanes

bool meets(const Bounds& box, const double* const (&corner)[3]) {
  for (int k = 0; k < 3; ++k) {
    const double x = corner[0][k], y = corner[1][k], z = corner[2][k];
    if (std::max({x, y, z}) < box.lo[k] || std::min({x, y, z}) > box.hi[k]) return false;
  }
  return true;
}

// Of eight triangles at once; `index` are their corners, three for each.
void centroids(const Point4* points, const std::int32_t* index, float* const (&to)[3],
               float* radius) {
  const Point8 p = gather(points, index, 3), q = gather(points, index + 1, 3),
               r = gather(points, index + 2, 3);
  const Point8* corner[3] = {&p, &q, &r};
  Float8 squared[3] = {Float8(0.0f), Float8(0.0f), Float8(0.0f)};
  for (int k = 0; k < 3; ++k) {
    const Float8 middle = (p.at[k] + q.at[k] + r.at[k]) * Float8(1.0f / 3.0f);
    middle.storeu(to[k]);
    for (int i = 0; i < 3; ++i) {
      const Float8 d = corner[i]->at[k] - middle;
      squared[i] = squared[i] + d * d;
    }
  }
  // The length is off by less than 2^-20 of itself after seven roundings, a corner by sqrt(3)
  // kRounding < 1e-7.
  const Float8 reach = sqrt(max(max(squared[0], squared[1]), squared[2]));
  (reach * Float8(1 + 0x1p-20f) + Float8(1e-7f)).storeu(radius);
}

}  // namespace

Wanted::Wanted(std::vector<const WeldedStars*> stars, const std::vector<BodyPair>* only)
    : stars_(std::move(stars)), only_(only) {
  const auto is_none = [](const WeldedStars* s) { return s == nullptr; };
  no_self_ = std::all_of(stars_.begin(), stars_.end(), is_none);
  all_ = !only && std::none_of(stars_.begin(), stars_.end(), is_none);
  if (!only) return;
  const std::size_t n = stars_.size();
  matrix_.resize(n * n, false);
  for (const auto& [a, b] : *only) matrix_[a * n + b] = matrix_[b * n + a] = true;
}

Soup::Soup(std::vector<BodyMesh> bodies, const Wanted& wanted, int workers)
    : bodies_(std::move(bodies)) {
  std::size_t vertices = 0, faces = 0;
  for (const BodyMesh& body : bodies_) {
    first_point_.push_back(vertices);
    first_face_.push_back(static_cast<std::uint32_t>(faces));
    vertices += body.vertex_count;
    faces += body.face_count;
  }
  points_.resize(vertices);
  find_frame(workers);
  take_faces(wanted, workers);
  find_centroids(workers);
}

void Soup::find_frame(int workers) {
  Bounds all = kNoBounds;
  for (const BodyMesh& body : bodies_) {
    bounds_.push_back(bounds_of({body}, workers));
    include(all, bounds_.back().lo, bounds_.back().hi);
  }
  if (!(all.lo[0] <= all.hi[0])) return;
  frame_ = frame_of(all);
  for (int k = 0; k < 3; ++k) {
    const double side = (all.hi[k] - all.lo[k]) * frame_.scale;
    diagonal_ += side * side;
  }
  diagonal_ = std::sqrt(diagonal_);
  for_each_part(
      parts_of(bodies_, &BodyMesh::vertex_count), workers, [&](std::size_t, const Part& part) {
        in_frame(frame_, bodies_[part.body].vertices + 3 * part.begin, part.end - part.begin,
                 points_.data() + first_point_[part.body] + part.begin);
      });
}

void Soup::take_faces(const Wanted& wanted, int workers) {
  // Where a face must be to have a partner.
  std::vector<Bounds> near(bodies_.size(), kNoBounds);
  if (!wanted.all()) {
    for (const auto& [a, b] : broad_phase(bounds_, wanted.only(), workers)) {
      include(near[a], bounds_[b].lo, bounds_[b].hi);
      include(near[b], bounds_[a].lo, bounds_[a].hi);
    }
  }
  const std::vector<Part> parts = parts_of(bodies_, &BodyMesh::face_count);
  std::vector<std::vector<std::int32_t>> kept(parts.size());
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    if (wanted.stars(part.body)) return;
    const BodyMesh& mesh = bodies_[part.body];
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const double* corner[3];
      for (int k = 0; k < 3; ++k)
        corner[k] = mesh.vertices + 3 * std::size_t(mesh.faces[3 * i + k]);
      if (meets(near[part.body], corner)) kept[index].push_back(static_cast<std::int32_t>(i));
    }
  });
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    starts.push_back(size_);
    size_ += wanted.stars(parts[i].body) ? parts[i].end - parts[i].begin : kept[i].size();
  }
  const std::size_t room = size_ + kLanes;
  corners_.resize(3 * room);
  body_.resize(room);
  face_.resize(room);
  for_each_part(parts, workers, [&](std::size_t index, const Part& part) {
    const WeldedStars* stars = wanted.stars(part.body);
    const std::int32_t* faces = stars ? stars->corners() : bodies_[part.body].faces;
    const auto offset = static_cast<std::int32_t>(first_point_[part.body]);
    const std::size_t count = stars ? part.end - part.begin : kept[index].size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = starts[index] + i;
      const std::size_t face = stars ? part.begin + i : static_cast<std::size_t>(kept[index][i]);
      body_[at] = static_cast<std::int32_t>(part.body);
      face_[at] = static_cast<std::int32_t>(face);
      for (int k = 0; k < 3; ++k) corners_[3 * at + k] = offset + faces[3 * face + k];
    }
  });
  // The lanes behind the last triangle read it again.
  for (std::size_t at = size_; size_ > 0 && at < room; ++at) {
    std::copy_n(corners_.data() + 3 * (size_ - 1), 3, corners_.data() + 3 * at);
  }
}

void Soup::find_centroids(int workers) {
  for (auto& axis : centroid_) axis.resize(size_ + kLanes);
  radius_.resize(size_ + kLanes);
  parallel_for(workers, size_, kTriangleGrain, [&](std::size_t i, std::size_t end, int) {
    for (; i < end; i += kLanes) {
      float* const to[3] = {centroid_[0].data() + i, centroid_[1].data() + i,
                            centroid_[2].data() + i};
      centroids(points_.data(), corners_.data() + 3 * i, to, radius_.data() + i);
    }
  });
}

}  // namespace impinge
