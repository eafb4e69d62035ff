// Which sheets do not meet themselves.
#include <algorithm>

#include "base/pool.hpp"
#include "bvh/self/projected_rim.hpp"
#include "bvh/self/sheets.hpp"
#include "bvh/tree/area_vector.hpp"

namespace impinge::bvh {
namespace {

// Triangles that are certainly counter-clockwise, seen against `normal`. With S the largest
// component of an edge, e the error of a coordinate and u = 2^-24, an edge is off by 2e + uS, and
// its cross product with another by 8eS + 8uS^2 per component. Components of the normal are off by
// 4.1u and sum up to 1.77, and the dot product rounds three times: 15eS + 50uS^2 in all.
unsigned facing(const Leaf& leaf, const Point8& normal, float error) {
  Point8 p, q;
  Float8 size(0.0f);
  for (int k = 0; k < 3; ++k) {
    const Float8 corner = Float8::load(leaf.v[k]);
    p.at[k] = Float8::load(leaf.v[3 + k]) - corner;
    q.at[k] = Float8::load(leaf.v[6 + k]) - corner;
    size = max(size, max(abs(p.at[k]), abs(q.at[k])));
  }
  size = size + Float8(4 * error);
  const Float8 least = size * mul_add(size, Float8(64 * 0x1p-24f), Float8(16 * error));
  return bits(dot(cross(p, q), normal) > least);
}

void add(AreaVector& sum, const AreaVector& area) {
  for (int k = 0; k < 3; ++k) sum.at[k] += area.at[k];
}

}  // namespace

class ClearSheets::Question {
 public:
  Question(const Tree& tree, const Sheets& sheets, float error)
      : tree_(tree), sheets_(sheets), error_(error), areas_(sheets.nodes(1)) {}

  // Before anything is asked about a node.
  void measure(int level, std::size_t node) {
    const auto [first, last] = leaves(level, node);
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      add(areas_[leaf / kLanes], area_vector(tree_.leaf(leaf)));
    }
  }

  bool is_clear(int level, std::size_t node) const {
    const Sheets::Rim rim = sheets_.rim(level, node);
    if (rim.vertices.empty()) return false;
    const auto [first, last] = leaves(level, node);
    AreaVector sum{};
    for (std::size_t i = first / kLanes; i * kLanes < last; ++i) add(sum, areas_[i]);
    const Plane8 plane(Point8{{Float8(sum.at[0]), Float8(sum.at[1]), Float8(sum.at[2])}});
    const Point8 normal = plane.normal();
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      if (facing(tree_.leaf(leaf), normal, error_) != 255u) return false;
    }
    return ProjectedRim(rim, plane, tree_.points(), error_).is_plain();
  }

 private:
  struct Leaves {
    std::size_t first, last;
  };
  Leaves leaves(int level, std::size_t node) const {
    return {node << (3 * level), std::min((node + 1) << (3 * level), tree_.leaf_count())};
  }

  const Tree& tree_;
  const Sheets& sheets_;
  const float error_;
  std::vector<AreaVector> areas_;  // of the nodes of level 1
};

ClearSheets::ClearSheets(const Tree& tree, const Sheets& sheets, float error, int workers) {
  const int top = sheets.levels();
  for (int level = 1; level <= top; ++level) levels_.emplace_back(sheets.nodes(level));
  Question question(tree, sheets, error);
  // what is below one node stays in the cache
  parallel_for(workers, sheets.nodes(top), 1, [&](std::size_t b, std::size_t e, int) {
    for (; b < e; ++b) {
      question.measure(top, b);
      tell(question, top, b);
    }
  });
}

// What is below a clear node is not asked about.
void ClearSheets::tell(const Question& question, int level, std::size_t node) {
  std::vector<std::uint8_t>& clear = levels_[level - 1];
  clear[node] = question.is_clear(level, node);
  if (level == 1 || clear[node]) return;
  const std::size_t end = std::min((node + 1) * kLanes, levels_[level - 2].size());
  for (std::size_t child = node * kLanes; child < end; ++child) tell(question, level - 1, child);
}

std::size_t ClearSheets::count() const {
  std::size_t total = 0;
  for (const auto& clear : levels_) total += std::count(clear.begin(), clear.end(), 1);
  return total;
}

}  // namespace impinge::bvh
