// Solids as Python holds them.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "bindings/bound_tree.hpp"
#include "solids/solid.hpp"

namespace impinge {

// A solid and the tree it points into.
class BoundSolid {
 public:
  // Without its solid until that is built.
  explicit BoundSolid(nb::object tree)
      : tree_(std::move(tree)), bound_(nb::cast<const BoundTree&>(tree_)) {}
  BoundSolid(nb::object tree, int workers) : BoundSolid(std::move(tree)) {
    nb::gil_scoped_release release;
    build(resolve_workers(workers));
  }
  void build(int workers) { solid_ = std::make_unique<solids::Solid>(bound_.prepared(), workers); }
  const solids::Solid& solid() const { return *solid_; }

 private:
  nb::object tree_;
  const BoundTree& bound_;
  std::unique_ptr<solids::Solid> solid_;
};

}  // namespace impinge
