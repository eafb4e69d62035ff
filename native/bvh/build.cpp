// Making a tree: weld, order, leaves.
#include <algorithm>
#include <cmath>

#include "bvh/halves.hpp"
#include "bvh/stars.hpp"
#include "bvh/tree.hpp"
#include "geometry/weld.hpp"

namespace impinge {

Tree::Tree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
           std::size_t face_count, int workers)
    : vertices_(vertices), vertex_count_(vertex_count), faces_(faces), face_count_(face_count) {
  if (empty()) {
    boxes_.allocate(0);
    return;
  }
  weld();
  measure(workers);
  order(workers);
  fill_corners();
  looseness_ = fill_boxes(workers);
}

Tree::~Tree() = default;

// Vertices that share their coordinates get one id, so that a seam is no boundary.
void Tree::weld() {
  std::vector<std::int32_t> first(vertex_count_);
  impinge::weld(vertices_, vertex_count_, first.data());
  merged_.clear();
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != static_cast<std::int32_t>(i)) {
      merged_.push_back({static_cast<std::int32_t>(i), first[i]});
    }
  }
  // A stray vertex far away must not stretch the frame and cost all precision.
  std::vector<bool> seen(vertex_count_, false);
  for (std::size_t i = 0; i < 3 * face_count_; ++i) {
    seen[faces_[i]] = true;
    seen[first[faces_[i]]] = true;
  }
  used_.clear();
  const auto used = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
  if (used == vertex_count_) return;
  used_.reserve(used);
  for (std::size_t i = 0; i < vertex_count_; ++i) {
    if (seen[i]) used_.push_back(static_cast<std::int32_t>(i));
  }
}

void Tree::order(int workers) {
  std::vector<float> memory(2 * Centres::kPlanes * face_count_);
  const Centres centres(memory.data(), face_count_);
  const Centres spare(memory.data() + memory.size() / 2, face_count_);
  for (std::size_t i = 0; i < face_count_; ++i) {
    const Point4& a = points_[face(i)[0]];
    const Point4& b = points_[face(i)[1]];
    const Point4& c = points_[face(i)[2]];
    centres.set(i, std::min({a.x, b.x, c.x}) + std::max({a.x, b.x, c.x}),
                   std::min({a.y, b.y, c.y}) + std::max({a.y, b.y, c.y}),
                   std::min({a.z, b.z, c.z}) + std::max({a.z, b.z, c.z}));
  }
  face_of_slot_.resize(face_count_);
  order_by_halves(centres, spare, face_count_, face_of_slot_.data(), workers);

  const std::size_t leaves = (face_count_ + kLanes - 1) / kLanes;
  last_lanes_ = 255u >> (leaves * kLanes - face_count_);
  leaves_.resize(leaves);
  corners_.resize(leaves);
  boxes_.allocate(leaves);
}

void Tree::fill_corners() {
  std::vector<std::int32_t> id(vertex_count_);
  for (std::size_t i = 0; i < vertex_count_; ++i) id[i] = static_cast<std::int32_t>(i);
  for (const Merged& m : merged_) id[m.vertex] = m.into;
  for (std::size_t slot = 0; slot < leaves_.size() * kLanes; ++slot) {
    const std::int32_t* f = face(face_of_slot_[std::min(slot, face_count_ - 1)]);
    for (int k = 0; k < 3; ++k) corners_[slot / kLanes].id[k][slot % kLanes] = id[f[k]];
  }
  std::lock_guard<std::mutex> lock(stars_mutex_);
  stars_.reset();
}

const Stars& Tree::stars() const {
  std::lock_guard<std::mutex> lock(stars_mutex_);
  if (!stars_) stars_ = std::make_unique<const Stars>(*this);
  return *stars_;
}

std::size_t Tree::bytes() const {
  std::size_t total = points_.size() * sizeof(Point4) +
                      face_of_slot_.size() * sizeof(std::int32_t) +
                      leaves_.size() * (sizeof(Leaf) + sizeof(LeafCorners)) + boxes_.bytes() +
                      merged_.size() * sizeof(Merged) + used_.size() * sizeof(std::int32_t);
  std::lock_guard<std::mutex> lock(stars_mutex_);
  if (stars_) total += stars_->bytes();
  return total;
}

}  // namespace impinge
