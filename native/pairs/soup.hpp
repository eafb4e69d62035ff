// All bodies of a query in one soup of triangles, in one float32 frame.
//
// x = float((v - centre) * scale) with |x| < 1, a coordinate is off by at most kRounding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "geometry/frame.hpp"
#include "geometry/gather.hpp"
#include "geometry/vec.hpp"
#include "mesh/body_mesh.hpp"
#include "mesh/welded_stars.hpp"
#include "pairs/broad_phase.hpp"

namespace impinge {

// Which faces may collide. Keeps `only`, the pairs of bodies that are asked for, sorted; null: all.
class Wanted {
 public:
  // `stars`: of each body, none for those that are not checked against themselves.
  Wanted(std::vector<const WeldedStars*> stars, const std::vector<BodyPair>* only);

  bool all() const { return all_; }            // any two faces, of one body or of two
  bool never_own() const { return no_self_; }  // no two faces of one body
  const std::vector<BodyPair>* only() const { return only_; }
  const WeldedStars* stars(std::size_t body) const { return stars_[body]; }
  bool may_collide(std::int32_t a, std::int32_t b) const {
    if (a == b) return stars_[a] != nullptr;
    return matrix_.empty() || matrix_[static_cast<std::size_t>(a) * stars_.size() + b];
  }

 private:
  std::vector<const WeldedStars*> stars_;
  const std::vector<BodyPair>* only_;
  std::vector<bool> matrix_;  // bodies by bodies; empty: all pairs
  bool all_, no_self_;
};

class Soup {
 public:
  // Keeps the pointers of the bodies. Leaves out faces that are beyond the boxes of all bodies they
  // may collide with.
  Soup(std::vector<BodyMesh> bodies, const Wanted& wanted, int workers);

  std::size_t size() const { return size_; }
  const std::vector<BodyMesh>& bodies() const { return bodies_; }
  const Frame& frame() const { return frame_; }
  double diagonal() const { return diagonal_; }  // of the box around everything, in the frame

  const Point4* points() const { return points_.data(); }  // vertices, body after body
  std::size_t point_count() const { return points_.size(); }
  std::size_t first_point(std::size_t body) const { return first_point_[body]; }
  const std::int32_t* corners(std::size_t i) const { return corners_.data() + 3 * i; }
  std::int32_t body(std::size_t i) const { return body_[i]; }
  std::int32_t face(std::size_t i) const { return face_[i]; }  // within its body
  // Rises with i.
  std::uint32_t id(std::size_t i) const {
    return first_face_[body_[i]] + static_cast<std::uint32_t>(face_[i]);
  }
  // Of a body, in the soup.
  std::uint32_t first_triangle(std::size_t body) const {
    return static_cast<std::uint32_t>(
        std::lower_bound(body_.begin(), body_.begin() + size_, static_cast<std::int32_t>(body)) -
        body_.begin());
  }
  // As it was given.
  Triangle triangle(std::size_t i) const {
    return bodies_[static_cast<std::size_t>(body_[i])].triangle(static_cast<std::size_t>(face_[i]));
  }

  // A point of each triangle and how far the triangle reaches from it at most. Room for eight more.
  const float* centroid(int axis) const { return centroid_[axis].data(); }
  const float* radius() const { return radius_.data(); }

 private:
  void find_frame(int workers);
  void take_faces(const Wanted& wanted, int workers);
  void find_centroids(int workers);

  std::vector<BodyMesh> bodies_;
  Frame frame_{};
  double diagonal_ = 0;
  std::size_t size_ = 0;
  std::vector<std::size_t> first_point_;
  std::vector<std::uint32_t> first_face_;
  std::vector<Bounds> bounds_;  // of bodies
  Buffer<Point4> points_;
  Buffer<std::int32_t> corners_, body_, face_;
  Buffer<float> centroid_[3], radius_;
};

}  // namespace impinge
