#include "depth/one_way.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "bvh/tree/placed_tree.hpp"
#include "depth/unit_normal.hpp"
#include "geometry/plane.hpp"

namespace impinge::depth {
namespace {

constexpr double kLeastCosine = 1e-3;  // much more than rounding
constexpr int kTries = 6;

struct Normals8 {
  Point8 normal;
  Float8 lengths;  // of the edges they are made of, together
  Float8 product;  // of these lengths
};

Point8 edges(const bvh::Leaf& leaf, int from, int to) {
  Point8 edge;
  for (int k = 0; k < 3; ++k) {
    edge.at[k] = Float8::load(leaf.v[3 * to + k]) - Float8::load(leaf.v[3 * from + k]);
  }
  return edge;
}

Normals8 normals_of(const bvh::Leaf& leaf) {
  const Point8 p = edges(leaf, 0, 1), q = edges(leaf, 0, 2);
  Point8 n;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    n.at[k] = mul_sub(p.at[i], q.at[j], p.at[j] * q.at[i]);
  }
  const Float8 first = sqrt(dot(p, p)), second = sqrt(dot(q, q));
  return {n, first + second, first * second};
}

// Coordinates in the frame are off by kRounding, so an edge by less than 1.1e-7 and 2^-24 of its
// length, and a cross product by that much of the other edge and some 2^-24 of the product.
unsigned surely_along(const bvh::Leaf& leaf, const Vector& unit) {
  const Normals8 n = normals_of(leaf);
  const Point8 u{{Float8(static_cast<float>(unit.x)), Float8(static_cast<float>(unit.y)),
                  Float8(static_cast<float>(unit.z))}};
  Float8 least = Float8(1.01f * static_cast<float>(kLeastCosine)) * sqrt(dot(n.normal, n.normal));
  least = mul_add(Float8(2e-7f), n.lengths, least);
  least = mul_add(Float8(2e-6f), n.product, least) + Float8(1e-12f);
  return bits(dot(n.normal, u) > least);
}

class OneWay {
 public:
  OneWay(const bvh::Tree& tree, const double* point, double reach, std::size_t most_faces)
      : tree_(tree), most_leaves_(most_faces / kLanes + 1) {
    const Frame& frame = tree.frame();
    double far = 0;
    for (int k = 0; k < 3; ++k) {
      const double place = (point[k] - frame.centre[k]) * frame.scale;
      place_[k] = static_cast<float>(place);
      far = std::max(far, std::abs(place));
    }
    // places and boxes are rounded to floats
    const double radius = reach * frame.scale + 8 * kRounding * (far + 1);
    squared_ = static_cast<float>(radius * radius * (1 + 0x1p-16));
    is_within_ = collect(tree.boxes().top(), 0);
  }

  bool run() {
    if (!is_within_ || leaves_.empty()) return false;
    Vector along = mean();
    for (int i = 0; i < kTries; ++i) {
      const double length = std::sqrt(dot(along, along));
      if (!(length > 0)) return false;
      along = scaled(along, 1 / length);
      const auto stray = find_stray(along);
      if (!stray) return true;
      // what is on the wrong side draws the plane to it
      const double more = 0.1 + kLeastCosine - dot(*stray, along);
      along = {along.x + more * stray->x, along.y + more * stray->y, along.z + more * stray->z};
    }
    return false;
  }

 private:
  bool collect(int level, std::size_t index) {
    if (level == 0) {
      leaves_.push_back(static_cast<std::uint32_t>(index));
      return leaves_.size() <= most_leaves_;
    }
    const Node& node = tree_.boxes().node(level, index);
    Float8 squared(0.0f);
    for (int k = 0; k < 3; ++k) {
      const Float8 p(place_[k]), lo = Float8::load(node.lo[k]), hi = Float8::load(node.hi[k]);
      const Float8 gap = max(max(lo - p, p - hi), Float8(0.0f));
      squared = mul_add(gap, gap, squared);
    }
    bool goes_on = true;
    for_each_bit(
        bits(squared <= Float8(squared_)) & tree_.boxes().children(level, index),
        [&](int c) { goes_on = goes_on && collect(level - 1, index * kLanes + std::size_t(c)); });
    return goes_on;
  }

  // By area. Only a direction to begin with.
  Vector mean() const {
    Point8 sum{{Float8(0.0f), Float8(0.0f), Float8(0.0f)}};
    for (const std::uint32_t leaf : leaves_) {
      if (tree_.lanes(leaf) != (1u << kLanes) - 1) continue;
      const Normals8 n = normals_of(tree_.leaf(leaf));
      for (int k = 0; k < 3; ++k) sum.at[k] = sum.at[k] + n.normal.at[k];
    }
    double all[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      alignas(32) float some[kLanes];
      sum.at[k].store(some);
      for (const float one : some) all[k] += one;
    }
    const Vector found{all[0], all[1], all[2]};
    return dot(found, found) > 0 ? found : normal_of(leaves_[0], 0);
  }

  // The normal of a face that does not look along a direction.
  std::optional<Vector> find_stray(const Vector& along) const {
    for (const std::uint32_t leaf : leaves_) {
      const unsigned doubtful = tree_.lanes(leaf) & ~surely_along(tree_.leaf(leaf), along);
      std::optional<Vector> stray;
      for_each_bit(doubtful, [&](int lane) {
        const Vector n = normal_of(leaf, lane);
        if (dot(n, n) > 0 && !(dot(n, along) > kLeastCosine)) stray = n;
      });
      if (stray) return stray;
    }
    return std::nullopt;
  }

  Vector normal_of(std::uint32_t leaf, int lane) const {
    const std::size_t slot = std::size_t(leaf) * kLanes + std::size_t(lane);
    return unit_normal(bvh::PlacedTree{&tree_, Pose()}.triangle(slot));
  }

  const bvh::Tree& tree_;
  const std::size_t most_leaves_;
  float place_[3], squared_;
  std::vector<std::uint32_t> leaves_;
  bool is_within_;
};

}  // namespace

bool boundary_is_one_way(const bvh::Tree& tree, const double* point, double reach,
                         std::size_t most_faces) {
  return !tree.empty() && OneWay(tree, point, reach, most_faces).run();
}

}  // namespace impinge::depth
