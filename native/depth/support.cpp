#include "depth/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impinge::depth {
namespace {

class Support {
 public:
  Support(const bvh::Tree& tree, const Vector& along)
      : tree_(tree), along_{along.x, along.y, along.z} {
    const double norm = std::abs(along.x) + std::abs(along.y) + std::abs(along.z);
    slack_ = 2 * kRounding * norm;
  }

  const double* find() {
    visit(tree_.boxes().top(), 0);
    // no vertex is farther than another along what is no direction
    return best_ ? best_ : tree_.vertex(tree_.corners(0).id[0][0]);
  }

 private:
  // In the frame of the tree, how far a box may reach.
  double reach(const Box& box) const {
    double sum = slack_;
    for (int k = 0; k < 3; ++k) sum += std::max(along_[k] * box.lo[k], along_[k] * box.hi[k]);
    return sum;
  }
  double in_frame(const double* point) const {
    const Frame& frame = tree_.frame();
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += along_[k] * ((point[k] - frame.centre[k]) * frame.scale);
    return sum;
  }

  void visit(int level, std::size_t index) {
    if (level == 0) {
      visit_leaf(index);
      return;
    }
    const Node& node = tree_.boxes().node(level, index);
    struct Child {
      double reach;
      int lane;
    } children[kLanes];
    int count = 0;
    for_each_bit(tree_.boxes().children(level, index),
                 [&](int c) { children[count++] = {reach(lane(node, c)), c}; });
    for (; count > 0; --count) {
      Child* next =
          std::max_element(children, children + count,
                           [](const Child& x, const Child& y) { return x.reach < y.reach; });
      if (next->reach <= most_) return;
      visit(level - 1, index * kLanes + static_cast<std::size_t>(next->lane));
      *next = children[count - 1];
    }
  }

  void visit_leaf(std::size_t leaf) {
    const auto& id = tree_.corners(leaf).id;
    for_each_bit(tree_.lanes(leaf), [&](int c) {
      for (int k = 0; k < 3; ++k) {
        const double* vertex = tree_.vertex(id[k][c]);
        if (const double value = in_frame(vertex); value > most_) {
          most_ = value;
          best_ = vertex;
        }
      }
    });
  }

  const bvh::Tree& tree_;
  const double along_[3];
  double slack_, most_ = -std::numeric_limits<double>::infinity();
  const double* best_ = nullptr;
};

}  // namespace

const double* farthest_vertex(const bvh::Tree& tree, const Vector& along) {
  return Support(tree, along).find();
}

}  // namespace impinge::depth
