// The tree that Python holds.
#pragma once

#include <memory>

#include "bindings/arrays.hpp"
#include "bvh/tree.hpp"
#include "parallel/pool.hpp"

namespace impinge {

// A tree and the arrays it points into.
class BoundTree {
 public:
  BoundTree(Points vertices, Faces faces, int workers)
      : vertices_(std::move(vertices)), faces_(std::move(faces)) {
    nb::gil_scoped_release release;
    tree_ = std::make_unique<Tree>(vertices_.data(), vertices_.shape(0), faces_.data(),
                                   faces_.shape(0), resolve_workers(workers));
  }

  bool refit(Points vertices, int workers) {
    if (vertices.shape(0) != vertices_.shape(0)) {
      throw nb::value_error("vertices must keep their number");
    }
    bool rebuilt = false;
    {
      nb::gil_scoped_release release;
      rebuilt = tree_->refit(vertices.data(), resolve_workers(workers));
    }
    vertices_ = std::move(vertices);
    return rebuilt;
  }

  const Tree& tree() const { return *tree_; }

 private:
  Points vertices_;
  Faces faces_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace impinge
