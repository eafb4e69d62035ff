// The surface of a solid: what of the faces of a closed mesh has solid on one side only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/buffer.hpp"
#include "bvh/tree/tree.hpp"
#include "geometry/vec.hpp"
#include "pairs/pair_key.hpp"
#include "solids/side.hpp"

namespace impinge::solids {

class Boundary {
 public:
  // What is taken of faces that others cut: the parts that count, or all, which costs much less and
  // has more than the surface, but nothing outside of the solid.
  enum class Cut { in_parts, whole };

  // Keeps a pointer to the tree of a closed mesh, which must not change. `own_pairs` are its faces
  // that meet in more than what they share.
  Boundary(const bvh::Tree& tree, const Buffer<Key>& own_pairs, Sense sense, int workers,
           Cut cut = Cut::in_parts);

  const bvh::Tree& mesh() const { return mesh_; }
  Sense sense() const { return sense_; }
  // Of triangles that cover the surface: the mesh itself when all of it counts. Faces without area
  // have no sides; those that others cut are rounded where the parts that count end.
  const bvh::Tree& tree() const { return own_ ? own_->tree : mesh_; }

 private:
  struct Triangles {
    std::vector<Triangle> triangles;
    std::vector<std::int32_t> faces;
    bvh::Tree tree;

    Triangles(std::vector<Triangle> some, int workers);
    // Whole faces of a mesh, by the ids of their corners; keeps its vertices.
    Triangles(const bvh::Tree& mesh, std::vector<std::int32_t> some, int workers);
  };

  const bvh::Tree& mesh_;
  const Sense sense_;
  std::unique_ptr<const Triangles> own_;  // when not all of the mesh counts
};

}  // namespace impinge::solids
