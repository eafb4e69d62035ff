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
  explicit BoundSolid(nb::object tree) : tree_(std::move(tree)), bound_(tree_of(tree_)) {}
  BoundSolid(nb::object tree, int workers) : BoundSolid(std::move(tree)) {
    nb::gil_scoped_release release;
    build(resolve_workers(workers));
  }
  void build(int workers) { solid_ = std::make_unique<solids::Solid>(bound_.prepared(), workers); }
  const solids::Solid& solid() const { return *solid_; }
  // For questions that need an inside.
  const solids::Solid& filled() const {
    if (!solid_->is_closed() || solid_->judgement().is_empty) {
      throw nb::value_error("a solid is needed that is closed and encloses something");
    }
    return *solid_;
  }

 private:
  static const BoundTree& tree_of(const nb::object& tree) {
    if (!nb::isinstance<BoundTree>(tree)) throw nb::type_error("a solid is made of a Tree");
    return nb::cast<const BoundTree&>(tree);
  }

  nb::object tree_;
  const BoundTree& bound_;
  std::unique_ptr<solids::Solid> solid_;
};

}  // namespace impinge
