// Making a tree: weld, and order the faces by halving them again and again.
#include <algorithm>

#include "base/pool.hpp"
#include "dop/tree.hpp"

namespace impinge::dop {
namespace {

constexpr std::size_t kFaceGrain = 4096;

// Of a plane of centroids, any of which can be read to the sixteenth.
std::size_t room_for(std::size_t faces) { return faces + 2 * kLanes; }

}  // namespace

Tree::Tree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
           std::size_t face_count, const Directions& directions, bool maps, int workers)
    : vertices_(vertices),
      vertex_count_(vertex_count),
      faces_(faces),
      face_count_(face_count),
      directions_(directions),
      with_maps_(maps) {
  if (empty()) return;
  weld(workers);
  measure(workers);
  build(workers);
  make_maps(workers);
}

void Tree::weld(int workers) {
  merged_ = MergedVertices(vertices_, vertex_count_, workers);
  welded_.clear();
  if (!merged_.empty()) welded_ = merged_.corners(faces_, face_count_, vertex_count_);
  used_.assign(vertex_count_, 0);
  for (std::size_t i = 0; i < 3 * face_count_; ++i) used_[faces_[i]] = 1;
  for (const std::int32_t id : welded_) used_[id] = 1;
}

void Tree::build(int workers) {
  const std::size_t nodes = with_blocks(directions_.blocks(), [&](auto blocks) {
    return Arena::bytes_of<Node<blocks>>(node_count());
  });
  memory_.allocate(std::max(nodes, 2 * SpaceCentres::kBytes * room_for(face_count_)));
  nodes_ = reinterpret_cast<float*>(memory_.take<std::byte>(nodes));
  looseness_ = fill(order(workers).data(), workers);
}

// Median of the centroids along the longest axis. Until the nodes are filled, their memory holds
// the centroids.
std::vector<std::int32_t> Tree::order(int workers) const {
  const std::size_t room = room_for(face_count_);
  const SpaceCentres centres(nodes_, room), spare(nodes_ + SpaceCentres::kPlanes * room, room);
  parallel_for(workers, face_count_, kFaceGrain, [&](std::size_t i, std::size_t last, int) {
    for (; i < last; ++i) {
      const std::int32_t* f = face(i);
      const Point4 &p = points_[f[0]], &q = points_[f[1]], &r = points_[f[2]];
      centres.plane[0][i] = p.x + q.x + r.x;
      centres.plane[1][i] = p.y + q.y + r.y;
      centres.plane[2][i] = p.z + q.z + r.z;
      centres.set_id(i);
    }
  });
  std::vector<std::int32_t> faces(face_count_);
  order_by_medians<Cuts::middle>(centres, spare, face_count_, faces.data(), workers);
  return faces;
}

std::size_t Tree::bytes() const {
  return memory_.bytes() + points_.size() * sizeof(Point4) + used_.size() +
         welded_.size() * sizeof(std::int32_t) + maps_.size() * sizeof(UnitTriangle);
}

}  // namespace impinge::dop
