#include "solids/column.hpp"

#include <algorithm>

namespace impinge::solids {
namespace {

constexpr std::size_t kMostSamples = 4096;

// The areas of a box seen along each axis.
struct Shadows {
  double along[3];

  explicit Shadows(const Box& box) {
    double side[3];
    for (int k = 0; k < 3; ++k) side[k] = double{box.hi[k]} - double{box.lo[k]};
    for (int k = 0; k < 3; ++k) along[k] = side[k == 2 ? 0 : k + 1] * side[k == 0 ? 2 : k - 1];
  }
};

}  // namespace

// The average ray meets as many boxes as they cover, all together, of the whole.
int best_axis(const Hierarchy& boxes) {
  if (boxes.items() == 0) return 0;
  int level = 1;
  while (level < boxes.top() && kLanes * boxes.nodes(level) > kMostSamples) ++level;
  const Shadows whole(boxes.root());
  double met[3] = {0, 0, 0};
  for (std::size_t i = 0; i < boxes.nodes(level); ++i) {
    for_each_bit(boxes.children(level, i), [&](int child) {
      const Shadows one(lane(boxes.node(level, i), child));
      for (int k = 0; k < 3; ++k) met[k] += one.along[k] / whole.along[k];
    });
  }
  // a flat mesh is not seen from its sides, NaN
  int best = 0;
  for (int k = 1; k < 3; ++k) best = met[k] < met[best] || met[best] != met[best] ? k : best;
  return best;
}

}  // namespace impinge::solids
