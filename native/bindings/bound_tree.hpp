// Trees as Python holds them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "bindings/arrays.hpp"
#include "bindings/mesh_checks.hpp"
#include "bvh/pair/prepared_tree.hpp"

namespace impinge {

// A tree of any kind and the arrays it points into.
template <class AnyTree>
class Bound {
 public:
  bool refit(Points moved, int workers) {
    if (moved.shape(0) != vertices_.shape(0)) {
      throw nb::value_error("vertices must keep their number");
    }
    KeptPoints vertices(std::move(moved));
    check_points(vertices);
    bool rebuilt = false;
    {
      nb::gil_scoped_release release;
      rebuilt = tree_->refit(vertices.data(), resolve_workers(workers));
    }
    vertices_ = std::move(vertices);
    return rebuilt;
  }

  const AnyTree& held() const { return *tree_; }

 protected:
  Bound(Points vertices, Faces faces) : vertices_(std::move(vertices)), faces_(std::move(faces)) {
    check_mesh(vertices_, faces_);
  }

  template <class... Options>
  void make(Options&&... options) {
    tree_ = std::make_unique<AnyTree>(vertices_.data(), vertices_.shape(0), faces_.data(),
                                      faces_.shape(0), std::forward<Options>(options)...);
  }

 private:
  KeptPoints vertices_;
  KeptFaces faces_;
  std::unique_ptr<AnyTree> tree_;
};

// Several at once, made by make(vertices, faces) and their `build(workers)`: side by side when
// there are enough of them for all workers.
template <class BoundOne, class Make>
std::vector<std::unique_ptr<BoundOne>> build_all(std::vector<Points> vertices,
                                                 std::vector<Faces> faces, int workers, Make make) {
  if (vertices.size() != faces.size()) throw nb::value_error("faces must be as many as vertices");
  std::vector<std::unique_ptr<BoundOne>> trees;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    trees.push_back(make(std::move(vertices[i]), std::move(faces[i])));
  }
  nb::gil_scoped_release release;
  const int threads = resolve_workers(workers);
  const bool apart = trees.size() >= static_cast<std::size_t>(threads);
  parallel_for(apart ? threads : 1, trees.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) trees[b]->build(apart ? 1 : threads);
  });
  return trees;
}

class BoundTree : public Bound<bvh::PreparedTree> {
 public:
  BoundTree(Points vertices, Faces faces) : Bound(std::move(vertices), std::move(faces)) {}
  BoundTree(Points vertices, Faces faces, int workers)
      : BoundTree(std::move(vertices), std::move(faces)) {
    nb::gil_scoped_release release;
    build(resolve_workers(workers));
  }

  void build(int workers) { make(workers); }

  const bvh::PreparedTree& prepared() const { return held(); }
  const bvh::Tree& tree() const { return held().tree(); }
};

}  // namespace impinge
