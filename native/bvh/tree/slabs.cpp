#include "bvh/tree/slabs.hpp"

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"
#include "bvh/tree/area_vector.hpp"

namespace impinge::bvh {
namespace {

// Leaves, and patches of 64 and 512 triangles.
constexpr int kFlatLevels = 3;

// A dot product with a unit vector rounds three times on terms that sum up to less than sqrt(3),
// middle and half size round once more each: 8 units, and some for the norm of the vector.
constexpr float kSlabRounding = 10 * 0x1p-24f;

// Each coordinate is off by kRounding, 5.2e-8 in space. A square rounds three times, which is less
// than 2 * 2^-24 of its root, and that is below sqrt(3): 2.1e-7. Where the point that distances are
// from is not zero, their coordinates below 2 round once more, by 2^-24: 1.04e-7 in space, and the
// root is below 2 sqrt(3): 4.2e-7.
constexpr double kRadiusError = 3e-7, kPartRadiusError = 7e-7;

constexpr std::size_t kLeafGrain = 1024;

// Squared distances of the farthest corners from a point, eight triangles at a time.
Float8 farthest(const Leaf& leaf, const float (&from)[3]) {
  Float8 most(0.0f);
  for (int c = 0; c < 9; c += 3) {
    const Float8 x = Float8::load(leaf.v[c]) - Float8(from[0]),
                 y = Float8::load(leaf.v[c + 1]) - Float8(from[1]),
                 z = Float8::load(leaf.v[c + 2]) - Float8(from[2]);
    most = max(most, mul_add(x, x, mul_add(y, y, z * z)));
  }
  return most;
}

AreaVector normalised(const AreaVector& n) {
  const double length =
      std::sqrt(double{n.at[0]} * n.at[0] + double{n.at[1]} * n.at[1] + double{n.at[2]} * n.at[2]);
  if (!(length > 1e-30)) return {{0, 0, 0}};
  return {{static_cast<float>(n.at[0] / length), static_cast<float>(n.at[1] / length),
           static_cast<float>(n.at[2] / length)}};
}

// Things of a level, 0 for leaves.
std::size_t things(const Tree& tree, int level) {
  return level == 0 ? tree.leaf_count() : tree.boxes().nodes(level);
}

// Around each of them.
std::vector<PartBall> balls(const Tree& tree, int level) {
  const std::size_t leaves = tree.leaf_count(), each = std::size_t{1} << (3 * level);
  std::vector<PartBall> found;
  for (std::size_t i = 0; i < things(tree, level); ++i) {
    const Box box = tree.boxes().box(level, i);
    float centre[3];
    for (int k = 0; k < 3; ++k) centre[k] = 0.5f * (box.lo[k] + box.hi[k]);
    Float8 most(0.0f);
    for (std::size_t l = i * each; l < std::min(leaves, (i + 1) * each); ++l) {
      most = max(most, farthest(tree.leaf(l), centre));
    }
    const double radius = std::sqrt(double{highest(most)}) + kPartRadiusError;
    found.push_back({{centre[0], centre[1], centre[2]}, radius});
  }
  return found;
}

}  // namespace

Slabs::Slabs(const Tree& tree, int workers) {
  const std::size_t leaves = tree.leaf_count();
  std::vector<AreaVector> areas(leaves);
  std::vector<float> squares((leaves + kLeafGrain - 1) / kLeafGrain);
  parallel_for(workers, squares.size(), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      Float8 most(0.0f);
      for (std::size_t l = b * kLeafGrain; l < std::min(leaves, (b + 1) * kLeafGrain); ++l) {
        areas[l] = area_vector(tree.leaf(l));
        most = max(most, farthest(tree.leaf(l), {0, 0, 0}));
      }
      squares[b] = highest(most);
    }
  });
  int coarse = 0;
  while (things(tree, coarse) > kMostParts) ++coarse;
  parts_ = balls(tree, coarse);
  if (coarse > 0) fine_parts_ = balls(tree, coarse - 1);
  radius_ = std::sqrt(double{*std::max_element(squares.begin(), squares.end())}) + kRadiusError;
  const int levels = std::min(kFlatLevels, tree.boxes().top());
  std::size_t each = 1;  // leaves under a child
  for (int level = 1; level <= levels; ++level, each *= kLanes) {
    std::vector<SlabNode>& nodes = levels_.emplace_back(tree.boxes().nodes(level));
    std::vector<AreaVector> above(nodes.size());
    parallel_for(workers, nodes.size(), 64, [&](std::size_t b, std::size_t e, int) {
      for (std::size_t i = b; i < e; ++i) {
        AreaVector whole{};
        for (int j = 0; j < kLanes; ++j) {
          const std::size_t child = i * kLanes + j;
          const AreaVector area = child < areas.size() ? areas[child] : AreaVector{};
          const AreaVector n = normalised(area);
          Float8 least(0.0f), most(0.0f);
          const std::size_t last = std::min(leaves, (child + 1) * each);
          for (std::size_t l = child * each; l < last; ++l) {
            const TrianglesAlong along(tree.leaf(l), n.at);
            least = l == child * each ? along.least() : min(least, along.least());
            most = l == child * each ? along.most() : max(most, along.most());
          }
          const float lo = lowest(least), hi = highest(most);
          for (int k = 0; k < 3; ++k) {
            nodes[i].n[k][j] = n.at[k];
            whole.at[k] += area.at[k];
          }
          nodes[i].middle[j] = 0.5f * (lo + hi);
          nodes[i].half[j] = 0.5f * (hi - lo) + kSlabRounding;
        }
        above[i] = whole;
      }
    });
    areas.swap(above);
  }
}

std::size_t Slabs::bytes() const {
  std::size_t total = (parts_.size() + fine_parts_.size()) * sizeof(PartBall);
  for (const auto& level : levels_) total += level.size() * sizeof(SlabNode);
  return total;
}

}  // namespace impinge::bvh
