// The surface of a body as contacts need it: who is whose neighbour, where its vertices point, and
// the structures that find its faces along a ray or near another body.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "bvh/tree/tree.hpp"
#include "geometry/frame.hpp"
#include "geometry/vec.hpp"
#include "octree/octree.hpp"

namespace impinge::contact_points {

// The same direction with length one; zero for zero.
inline Vector unit(const Vector& v) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? scaled(v, 1 / length) : Vector{0, 0, 0};
}

// What finds the faces along a ray; the answer is the same.
enum class Along { octree, tree };

// Which features a face answers for: each of several faces, only the first.
struct Duties {
  std::uint8_t vertices, edges;  // bit for corner i, and for the edge from corner i to the next
};

class Skin {
 public:
  // Keeps both pointers; the arrays must outlive the skin. Vertices that are equal now count as
  // one for good.
  Skin(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
       std::size_t face_count, int workers);

  // The same faces on other vertices.
  void move(const double* vertices);

  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t face_count() const { return face_count_; }
  bool empty() const { return face_count_ == 0; }
  const double* vertex(std::int32_t i) const { return vertices_ + 3 * std::size_t(i); }
  const std::int32_t* face(std::int32_t i) const { return faces_ + 3 * std::size_t(i); }
  // The corners of a face, equal vertices by the first of them.
  const std::int32_t* corners(std::int32_t face) const { return corners_ + 3 * std::size_t(face); }
  bool is_corner(std::int32_t vertex, std::int32_t face) const {
    const std::int32_t* c = corners(face);
    return c[0] == vertex || c[1] == vertex || c[2] == vertex;
  }
  Triangle triangle(std::int32_t face) const;

  // Vertices of faces, each of equal ones once.
  std::span<const std::int32_t> used() const { return used_; }
  // The faces around a vertex, in order.
  std::span<const std::int32_t> around(std::int32_t vertex) const {
    const std::size_t first = first_around_[std::size_t(vertex)];
    return {around_.data() + first, first_around_[std::size_t(vertex) + 1] - first};
  }

  // The normal of a vertex: those of its faces, weighted by their angles there. False when it does
  // not point outwards of all these faces. Faces without area do not count.
  bool normal(std::int32_t vertex, Vector& normal) const;
  // Of length one; zero without area.
  Vector face_normal(std::int32_t face) const;

  // Make what is not there yet or no longer fits; safe from many threads.
  void measure() const;
  void prepare(Along along, int workers) const;
  void share_duties(int workers) const;

  // Once they are made.
  const Bounds& bounds() const { return bounds_; }  // of the vertices that faces use
  double extent() const { return extent_; }         // largest side of the bounds
  const octree::Octree& octree() const { return *octree_; }
  const bvh::Tree& tree() const { return *tree_; }
  const Duties& duties(std::int32_t face) const { return duties_[std::size_t(face)]; }

 private:
  Duties duties_of(std::int32_t face) const;

  const double* vertices_;
  std::size_t vertex_count_;
  const std::int32_t* faces_;
  std::size_t face_count_;

  std::vector<std::int32_t> welded_;  // corners; empty when no two vertices are equal
  const std::int32_t* corners_;
  std::vector<std::int32_t> used_;
  std::vector<std::size_t> first_around_;
  std::vector<std::int32_t> around_;

  mutable std::mutex mutex_;
  mutable bool measured_ = false, fitted_ = false;
  mutable Bounds bounds_{};
  mutable double extent_ = 0;
  mutable std::unique_ptr<const octree::Octree> octree_;
  mutable std::unique_ptr<bvh::Tree> tree_;
  mutable std::vector<Duties> duties_;
};

}  // namespace impinge::contact_points
