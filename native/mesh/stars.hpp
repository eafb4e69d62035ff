// Neighbours within one mesh, decided vertex by vertex instead of pair by pair.
//
// The star of a vertex is the fan of triangles around it. If some projection to a plane shows all
// of them counter-clockwise and going around the vertex exactly once, their projections overlap
// nowhere, so two of them meet in nothing but what they share. One such check settles all pairs of
// the star; only where it fails are the pairs tested exactly. See docs/exactness.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.hpp"
#include "mesh/corners.hpp"

namespace impinge {

struct Stars {
  // Of faces (m, 3) with ids below `vertices`, equal for equal points; slots are faces, or lanes.
  Stars(const std::int32_t* faces, std::size_t face_count, std::size_t vertices);
  Stars(std::span<const Corners8> faces, std::size_t face_count, std::size_t vertices);

  // Eight stars with equally many rim vertices. Their ids: the eight centres, then rim after rim.
  struct Block {
    std::uint32_t first;  // into `ids`
    std::int32_t rims;
    std::int32_t lanes;  // stars in this block; the rest repeats the last
    bool closed;         // the last rim vertex and the first span a triangle too
  };
  std::vector<Block> blocks;
  std::vector<std::int32_t> ids;

  // Vertices whose triangles form no single consistent fan: always tested pair by pair.
  std::vector<std::int32_t> irregular;

  // Slots of the triangles around vertex i: slots[first[i]] .. slots[first[i + 1]].
  std::vector<std::uint32_t> first, slots;

  std::size_t bytes() const;

 private:
  // corner(slot, k) is the id of a corner.
  template <class Corner>
  void find(std::size_t vertices, std::size_t faces, const Corner& corner);
};

// Bit per star of the block that is proven free of collisions. `error` as in the float filter.
unsigned certify(const Stars& stars, const Stars::Block& block, const Point4* points, float error);

}  // namespace impinge
