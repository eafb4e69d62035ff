// The tree as Python holds it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bvh/tree.hpp"
#include "parallel/pool.hpp"

namespace impinge {

// A tree and the arrays it points into.
class BoundTree {
 public:
  BoundTree(Points vertices, Faces faces, int workers)
      : BoundTree(std::move(vertices), std::move(faces)) {
    nb::gil_scoped_release release;
    build(resolve_workers(workers));
  }

  // Several at once: side by side when there are enough of them for all workers.
  static std::vector<std::unique_ptr<BoundTree>> build_all(std::vector<Points> vertices,
                                                           std::vector<Faces> faces, int workers) {
    if (vertices.size() != faces.size()) throw nb::value_error("faces must be as many as vertices");
    std::vector<std::unique_ptr<BoundTree>> trees;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      trees.emplace_back(new BoundTree(std::move(vertices[i]), std::move(faces[i])));
    }
    nb::gil_scoped_release release;
    const int threads = resolve_workers(workers);
    const bool apart = trees.size() >= static_cast<std::size_t>(threads);
    parallel_for(apart ? threads : 1, trees.size(), 1, [&](std::size_t b, std::size_t e, int) {
      for (; b < e; ++b) trees[b]->build(apart ? 1 : threads);
    });
    return trees;
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
  BoundTree(Points vertices, Faces faces)
      : vertices_(std::move(vertices)), faces_(std::move(faces)) {}

  void build(int workers) {
    tree_ = std::make_unique<Tree>(vertices_.data(), vertices_.shape(0), faces_.data(),
                                   faces_.shape(0), workers);
  }

  Points vertices_;
  Faces faces_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace impinge
