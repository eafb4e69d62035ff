#include "depth/within.hpp"

#include <cmath>
#include <vector>

#include "depth/convex_bound.hpp"
#include "depth/split.hpp"

namespace impinge::depth {
namespace {

constexpr std::size_t kMostLooks = 200'000;

class Containment {
 public:
  Containment(const DistanceTo& own, DistanceTo& other, double limit, Beyond beyond)
      : tree_(own.tree()), other_(other), limit_(limit), beyond_(beyond) {}

  bool holds(int level, std::size_t index) {
    if (level == 0) return leaf_holds(index);
    const Node& node = tree_.boxes().node(level, index);
    bool all = true;
    for_each_bit(tree_.boxes().children(level, index), [&](int c) {
      if (!all) return;
      const std::size_t child = index * kLanes + static_cast<std::size_t>(c);
      const Answer answer = look(lane(node, c));
      all = answer == Answer::yes || (answer == Answer::open && holds(level - 1, child));
    });
    return all;
  }

 private:
  enum class Answer { yes, no, open };

  double beyond(const double* point) {
    ++looks_;
    return beyond_ == Beyond::outside ? -other_.find_signed(point) : other_.find(point);
  }

  Answer look(const Box& box) {
    const Frame& frame = tree_.frame();
    double centre[3], squared = 0;
    for (int k = 0; k < 3; ++k) {
      centre[k] = frame.centre[k] + 0.5 * (double(box.lo[k]) + box.hi[k]) / frame.scale;
      const double half = (0.5 * (double(box.hi[k]) - box.lo[k]) + kRounding) / frame.scale;
      squared += half * half;
    }
    const double at_centre = beyond(centre), radius = std::sqrt(squared);
    if (at_centre - radius > limit_) return Answer::no;
    return at_centre + radius <= limit_ ? Answer::yes : Answer::open;
  }

  bool leaf_holds(std::size_t leaf) {
    bool all = true;
    for_each_bit(tree_.lanes(leaf), [&](int c) {
      if (!all) return;
      const std::size_t slot = leaf * kLanes + static_cast<std::size_t>(c);
      all = triangle_holds(bvh::PlacedTree{&tree_, Pose()}.triangle(slot));
    });
    return all;
  }

  bool triangle_holds(const Triangle& whole) {
    for (int k = 0; k < 3; ++k) {
      if (beyond(whole[k]) > limit_) return false;
    }
    std::vector<Triangle> open = {whole}, parts;
    while (!open.empty()) {
      const Triangle t = open.back();
      open.pop_back();
      const Disc disc(t);
      const double at_centre = beyond(disc.centre);
      if (at_centre > limit_ || looks_ > kMostLooks) return false;
      if (at_centre + disc.radius <= limit_) continue;
      const Triangle base = other_.triangle();
      if (CornerDistances(t.v, 3, base).most() <= limit_) continue;
      split(t, base, parts);
      open.insert(open.end(), parts.begin(), parts.end());
    }
    return true;
  }

  const bvh::Tree& tree_;
  DistanceTo& other_;
  const double limit_;
  const Beyond beyond_;
  std::size_t looks_ = 0;
};

}  // namespace

bool stays_within(const DistanceTo& own, DistanceTo& other, double limit, Beyond beyond) {
  return Containment(own, other, limit, beyond).holds(own.tree().boxes().top(), 0);
}

}  // namespace impinge::depth
