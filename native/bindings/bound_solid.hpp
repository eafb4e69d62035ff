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
  BoundSolid(nb::object tree, int workers) : tree_(std::move(tree)) {
    const auto& bound = nb::cast<const BoundTree&>(tree_);
    nb::gil_scoped_release release;
    solid_ = std::make_unique<solids::Solid>(bound.prepared(), resolve_workers(workers));
  }
  const solids::Solid& solid() const { return *solid_; }

 private:
  nb::object tree_;
  std::unique_ptr<solids::Solid> solid_;
};

}  // namespace impinge
