// Parts of a surface that do not meet themselves, told at once instead of pair by pair.
//
// Let a projection to a plane show all triangles below a node counter-clockwise: they cover each
// point of the plane as often as their rim goes around it. If edges of the rim meet only where they
// share a vertex, and at most one of its rings runs counter-clockwise, it goes around each point at
// most once. Then the projections overlap nowhere, and two of the triangles meet in nothing but
// what they share. See docs/exactness.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/tree/tree.hpp"
#include "mesh/stars.hpp"

namespace impinge::bvh {

// The rims of nodes. They depend on the faces alone, not on where their vertices are.
class Sheets {
 public:
  // Nodes of 64, 512 and 4096 triangles; more are seldom flat enough.
  static constexpr int kLevels = 3;
  static constexpr std::size_t kLongest = 1024;  // vertices of a rim

  Sheets(const Tree& tree, const Stars& stars, int workers);

  int levels() const { return static_cast<int>(levels_.size()); }
  std::size_t nodes(int level) const { return levels_[level - 1].size(); }

  // Rings of vertices that visit none twice, each followed by its first two again, and where each
  // ends. Empty where there is none or where nothing can be said of it.
  struct Rim {
    std::span<const std::int32_t> vertices, ends;
  };
  Rim rim(int level, std::size_t node) const {
    const Part& part = levels_[level - 1][node];
    return {std::span(vertices_).subspan(part.first_vertex, part.vertices),
            std::span(ends_).subspan(part.first_end, part.rings)};
  }
  std::size_t bytes() const;

 private:
  struct Part {
    std::uint32_t first_vertex = 0, vertices = 0, first_end = 0, rings = 0;
  };
  class Finder;

  std::vector<std::vector<Part>> levels_;
  std::vector<std::int32_t> vertices_, ends_;
};

// Which nodes are proven not to meet themselves, where the vertices are now.
class ClearSheets {
 public:
  // `error` as in the float filter.
  ClearSheets(const Tree& tree, const Sheets& sheets, float error, int workers);

  bool operator()(int level, std::size_t node) const {
    return level <= static_cast<int>(levels_.size()) && levels_[level - 1][node];
  }
  // Those that are clear, but for the ones below them.
  std::size_t count() const;

 private:
  class Question;
  void tell(const Question& question, int level, std::size_t node);

  std::vector<std::vector<std::uint8_t>> levels_;
};

}  // namespace impinge::bvh
