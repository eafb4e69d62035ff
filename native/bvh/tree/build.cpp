// Making a tree: weld, order, leaves.
#include <algorithm>
#include <cmath>

#include "base/pool.hpp"
#include "boxes/median_order.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/point_hull.hpp"
#include "mesh/surface_coordinates.hpp"

namespace impinge::bvh {
namespace {

constexpr std::size_t kFaceGrain = 4096;
constexpr std::size_t kLeavesAhead = 8;  // whose faces are asked for before they are read

// Twice the centres of the boxes of eight triangles with 24 corners in a row.
Point8 middles(const Point4* points, const std::int32_t* corners) {
  const Point8 p = gather(points, corners, 3), q = gather(points, corners + 1, 3),
               r = gather(points, corners + 2, 3);
  Point8 m;
  for (int k = 0; k < 3; ++k) {
    m.at[k] = min(min(p.at[k], q.at[k]), r.at[k]) + max(max(p.at[k], q.at[k]), r.at[k]);
  }
  return m;
}

}  // namespace

Tree::Tree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
           std::size_t face_count, int workers)
    : vertices_(vertices), vertex_count_(vertex_count), faces_(faces), face_count_(face_count) {
  allocate();
  if (empty()) return;
  merged_ = MergedVertices(vertices_, vertex_count_, workers);
  measure(workers);
  order(workers);
  fill_corners(workers);
  looseness_ = fill_boxes(workers);
}

void Tree::allocate() {
  const std::size_t leaves = (face_count_ + kLanes - 1) / kLanes;
  const std::size_t nodes = Hierarchy::nodes_for(leaves);
  const std::size_t points = empty() ? 0 : vertex_count_;
  memory_.allocate(Arena::bytes_of<Point4>(points) + Arena::bytes_of<std::int32_t>(face_count_) +
                   Arena::bytes_of<Leaf>(leaves) + Arena::bytes_of<Corners8>(leaves) +
                   Arena::bytes_of<Node>(nodes));
  points_ = {memory_.take<Point4>(points), points};
  face_of_slot_ = {memory_.take<std::int32_t>(face_count_), face_count_};
  leaves_ = {memory_.take<Leaf>(leaves), leaves};
  corners_ = {memory_.take<Corners8>(leaves), leaves};
  boxes_.place(leaves, memory_.take<Node>(nodes));
  leaves_made_ = std::vector<std::atomic<Made>>(boxes_.nodes(1));
  last_lanes_ = 255u >> (leaves * kLanes - face_count_);
}

// The frame of what faces use: a stray vertex far away must not stretch it and cost all precision.
void Tree::measure(int workers) {
  std::vector<Bounds> parts((face_count_ + kFaceGrain - 1) / kFaceGrain);
  parallel_for(workers, parts.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      PointHull hull;
      const std::int32_t* const end = face(std::min(face_count_, (b + 1) * kFaceGrain));
      for (const std::int32_t* id = face(b * kFaceGrain); id < end; ++id) hull.include(vertex(*id));
      parts[b] = hull.bounds();
    }
  });
  bounds_ = kNoBounds;
  for (const Bounds& part : parts) include(bounds_, part.lo, part.hi);
  frame_ = frame_of(bounds_);
}

// Twice the middles of all faces, and their ids.
template <class AnyCentres>
void Tree::set_centres(const AnyCentres& centres, int workers) const {
  const std::size_t leaves = leaves_.size();
  // copies in large pages: the vertices are in whatever memory the caller has
  make_points(workers);
  parallel_for(workers, leaves, kFaceGrain / kLanes, [&](std::size_t b, std::size_t e, int) {
    std::int32_t ids[3 * kLanes];
    for (; b < e; ++b) {
      const std::int32_t* f = face(b * kLanes);
      if (b + 1 == leaves) {
        for (std::size_t i = 0; i < 3 * kLanes; ++i) {
          ids[i] = faces_[std::min(3 * kLanes * b + i, 3 * face_count_ - 1)];
        }
        f = ids;
      }
      const Point8 middle = middles(points_.data(), f);
      for (int k = 0; k < 3; ++k) middle.at[k].storeu(centres.plane[k] + b * kLanes);
      for (std::size_t i = b * kLanes; i < (b + 1) * kLanes; ++i) centres.set_id(i);
    }
  });
}

void Tree::order(int workers) {
  // The leaves are filled after the order is known: until then their memory holds the centres.
  static_assert(sizeof(Leaf) >= 2 * (kLanes + 1) * SpaceCentres::kBytes);
  // Where there is room, planes do not start at the same place of a memory page.
  const auto memory = reinterpret_cast<float*>(leaves_.data());
  const std::size_t leaves = leaves_.size();
  const std::size_t room = kLanes * (leaves + std::min<std::size_t>(leaves / kLanes, 5));
  const SpaceCentres centres(memory, room), spare(memory + SpaceCentres::kPlanes * room, room);
  set_centres(centres, workers);
  order_by_medians(centres, spare, face_count_, face_of_slot_.data(), workers);
}

// Layers that lie on each other now may part: faces are neighbours only when they are near in space
// and on the surface.
void Tree::order_along_surface(int workers) {
  std::vector<std::int32_t> ids(3 * face_count_);
  double length = 0;
  for (std::size_t slot = 0; slot < face_count_; ++slot) {
    std::int32_t* f = ids.data() + 3 * std::size_t(face_of_slot_[slot]);
    for (int k = 0; k < 3; ++k) f[k] = corners_[slot / kLanes].id[k][slot % kLanes];
    const double *p = vertex(f[0]), *q = vertex(f[1]);
    length += std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) * frame_.scale;
  }
  // Steps count half: fewer pairs of leaves overlap than with whole or with quarter lengths. The
  // middles are doubled, and so are the steps.
  const auto step = static_cast<float>(length / static_cast<double>(face_count_));
  const auto steps = surface_coordinates(ids, vertex_count_);
  const std::size_t room = kLanes * leaves_.size();
  std::vector<float> memory(2 * SurfaceCentres::kPlanes * room);
  const SurfaceCentres centres(memory.data(), room);
  const SurfaceCentres spare(memory.data() + memory.size() / 2, room);
  set_centres(centres, workers);
  for (std::size_t i = 0; i < face_count_; ++i) {
    for (int k = 0; k < 3; ++k) centres.plane[3 + k][i] = step * steps[i][k];
  }
  order_by_medians(centres, spare, face_count_, face_of_slot_.data(), workers);
}

void Tree::fill_corners(int workers) {
  std::vector<std::int32_t> id;
  if (!merged_.empty()) id = merged_.ids(vertex_count_);
  const auto fill = [&](std::size_t leaf) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t slot = std::min(leaf * kLanes + lane, face_count_ - 1);
      const std::int32_t* f = face(face_of_slot_[slot]);
      for (int k = 0; k < 3; ++k) corners_[leaf].id[k][lane] = merged_.empty() ? f[k] : id[f[k]];
    }
  };
  parallel_for(
      workers, leaves_.size(), kFaceGrain / kLanes, [&](std::size_t b, std::size_t e, int) {
        for (; b < e; ++b) {
          const std::size_t soon = (b + kLeavesAhead) * kLanes;
          for (std::size_t slot = soon; slot < std::min(soon + kLanes, face_count_); ++slot) {
            prefetch(face(face_of_slot_[slot]), 1);
          }
          fill(b);
        }
      });
  leaf_vertices_.clear();
}

std::size_t Tree::bytes() const {
  return memory_.bytes() + leaves_made_.size() + merged_.bytes() +
         leaf_vertices_.capacity() * sizeof(LeafVertices);
}

}  // namespace impinge::bvh
