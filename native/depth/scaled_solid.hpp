// Solids of any size near one: squares and products of coordinates neither overflow nor vanish.
#pragma once

#include <memory>
#include <vector>

#include "bvh/pair/prepared_tree.hpp"
#include "solids/solid.hpp"

namespace impinge::depth {

// Of all vertices that faces use.
double largest_coordinate(const solids::Solid& solid);

// The power of two that brings a coordinate near one; 0 where it is near enough as it is.
int exponent_to_one(double largest);

// A solid times a power of two.
class ScaledSolid {
 public:
  ScaledSolid(const solids::Solid& solid, int exponent, int workers);

  const solids::Solid& solid() const { return solid_; }
  // Whether no coordinate was rounded: some may be so much smaller than others that they vanish.
  bool is_exact() const { return is_exact_; }

 private:
  bool is_exact_ = true;
  const std::vector<double> vertices_;
  const bvh::PreparedTree tree_;
  const solids::Solid solid_;

  std::vector<double> scaled(const bvh::Tree& tree, int exponent);
};

}  // namespace impinge::depth
