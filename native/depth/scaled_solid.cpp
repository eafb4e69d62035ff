#include "depth/scaled_solid.hpp"

#include <algorithm>
#include <cmath>

namespace impinge::depth {
namespace {

// Fourth powers of coordinates, and of what is 2^-45 of them, are doubles.
constexpr int kFarFromOne = 200;

}  // namespace

double largest_coordinate(const solids::Solid& solid) {
  const Bounds& bounds = solid.tree().tree().bounds();
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, std::abs(bounds.lo[k]), std::abs(bounds.hi[k])});
  }
  return largest;
}

int exponent_to_one(double largest) {
  if (!(largest > 0)) return 0;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) > kFarFromOne ? -exponent : 0;
}

ScaledSolid::ScaledSolid(const solids::Solid& solid, int exponent, int workers)
    : vertices_(scaled(solid.tree().tree(), exponent)),
      tree_(vertices_.data(), vertices_.size() / 3, solid.tree().tree().face(0),
            solid.tree().tree().face_count(), workers),
      solid_(tree_, workers) {}

std::vector<double> ScaledSolid::scaled(const bvh::Tree& tree, int exponent) {
  const double* given = tree.vertex(0);
  std::vector<double> vertices(3 * tree.vertex_count());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertices[i] = std::ldexp(given[i], exponent);
    is_exact_ = is_exact_ && std::ldexp(vertices[i], -exponent) == given[i];
  }
  return vertices;
}

}  // namespace impinge::depth
