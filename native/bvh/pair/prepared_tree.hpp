// A tree with what speeds up its queries, each thing made when it pays.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/lazy.hpp"
#include "bvh/pair/investment.hpp"
#include "bvh/self/sheets.hpp"
#include "bvh/tree/placed_tree.hpp"
#include "bvh/tree/slabs.hpp"
#include "bvh/tree/tree.hpp"
#include "mesh/stars.hpp"

namespace impinge::bvh {

class PreparedTree {
 public:
  // Keeps both pointers; the arrays must outlive the tree.
  PreparedTree(const double* vertices, std::size_t vertex_count, const std::int32_t* faces,
               std::size_t face_count, int workers)
      : tree_(vertices, vertex_count, faces, face_count, workers) {}

  // Follows moved vertices. Returns true when the tree had degraded and was ordered anew.
  bool refit(const double* vertices, int workers);

  const Tree& tree() const { return tree_; }

  // Word of queries to come, against other trees or of the tree against itself.
  void expect_pairs(std::size_t queries, int workers) const;
  void expect_self(int workers) const;

  // The triangles around each vertex.
  const Stars& stars() const;
  // The rims of nodes and the slabs of patches; null until they pay.
  const Sheets* sheets() const { return sheets_.get(); }
  const Slabs* slabs() const { return slabs_.get(); }

  std::size_t bytes() const;

 private:
  Tree tree_;
  Lazy<Stars> stars_;
  Lazy<Sheets> sheets_;
  Lazy<Slabs> slabs_;
  mutable Investment investment_;
};

// A tree in its place, as a query sees it.
struct Body : PlacedTree {
  const PreparedTree* prepared = nullptr;
  const ClearSheets* clear = nullptr;  // known in a query of the body against itself

  Body() = default;
  Body(const PreparedTree& tree, const Pose& pose)
      : PlacedTree{&tree.tree(), pose}, prepared(&tree) {}
};

}  // namespace impinge::bvh
