// How the faces of a surface hang together: around each edge, and in shells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/tree/tree.hpp"

namespace impinge::solids {

// Side 3f + k of face f is its edge from corner k to the next. Equal vertices count as one.
class Rings {
 public:
  Rings(const bvh::Tree& tree, int workers);

  std::size_t faces() const { return corners_.size() / 3; }
  // Three vertices; the same id for equal coordinates.
  const std::int32_t* corners(std::size_t face) const { return corners_.data() + 3 * face; }
  // A face with a corner twice, which has no edges of its own.
  bool is_void(std::size_t face) const {
    const std::int32_t* c = corners(face);
    return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
  }

  // The next side on the same edge, of any number of faces; back at the first in the end.
  std::uint32_t next(std::uint32_t side) const { return next_[side]; }
  std::int32_t from(std::uint32_t side) const { return corners_[side]; }
  std::int32_t to(std::uint32_t side) const {
    return corners_[side % 3 == 2 ? side - 2 : side + 1];
  }

  // Whether every edge is used equally often in both directions, and there is one. How many are
  // not.
  bool is_closed() const { return shells() > 0 && open_edges_ == 0; }
  std::size_t open_edges() const { return open_edges_; }

  // Faces with area that hang together by edges of two are a shell: the winding number is one all
  // over its front, as far as it meets nothing else. Others are in none: -1.
  std::int32_t shell(std::size_t face) const { return shell_[face]; }
  std::size_t shells() const { return first_of_shell_.size(); }
  std::int32_t first_of_shell(std::size_t shell) const { return first_of_shell_[shell]; }

  std::size_t bytes() const {
    return sizeof(std::int32_t) * (corners_.size() + next_.size() + shell_.size());
  }

 private:
  void read_corners(const bvh::Tree& tree);
  void link(std::size_t vertices, int workers);
  void find_shells(const bvh::Tree& tree);

  std::vector<std::int32_t> corners_;
  std::vector<std::uint32_t> next_;
  std::vector<std::int32_t> shell_, first_of_shell_;
  std::size_t open_edges_ = 0;
};

}  // namespace impinge::solids
