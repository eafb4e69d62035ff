#include "depth/within.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "depth/convex_bound.hpp"
#include "depth/core.hpp"
#include "depth/split.hpp"
#include "solids/pieces.hpp"

namespace impinge::depth {
namespace {

constexpr std::size_t kMostLooks = 200'000;
constexpr std::size_t kFirstLooks = 64;

class Containment {
 public:
  Containment(const DistanceTo& own, DistanceTo& other, double limit, Beyond beyond)
      : tree_(own.tree()), other_(other), limit_(limit), beyond_(beyond) {}

  bool holds() {
    // of most solids that clash some corner tells
    const std::size_t faces = tree_.face_count(), step = faces / kFirstLooks + 1;
    for (std::size_t slot = 0; slot < faces; slot += step) {
      if (beyond(bvh::PlacedTree{&tree_, Pose()}.triangle(slot)[0]) > limit_) return false;
    }
    return holds(tree_.boxes().top(), 0);
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
      split(t, base, 0, parts);
      open.insert(open.end(), parts.begin(), parts.end());
    }
    return true;
  }

 private:
  enum class Answer { yes, no, open };

  double beyond(const double* point) {
    ++looks_;
    if (beyond_ == Beyond::either_side) return other_.find(point);
    return beyond_ == Beyond::inside ? other_.find_signed(point) : -other_.find_signed(point);
  }

  bool holds(int level, std::size_t index) {
    if (level == 0) return leaf_holds(index);
    const Node& node = tree_.boxes().node(level, index);
    Answer answers[kLanes];
    bool all = true;
    const auto children = tree_.boxes().children(level, index);
    for_each_bit(children,
                 [&](int c) { all = all && (answers[c] = look(lane(node, c))) != Answer::no; });
    for_each_bit(children, [&](int c) {
      const std::size_t child = index * kLanes + static_cast<std::size_t>(c);
      all = all && (answers[c] == Answer::yes || holds(level - 1, child));
    });
    return all;
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

  const bvh::Tree& tree_;
  DistanceTo& other_;
  const double limit_;
  const Beyond beyond_;
  std::size_t looks_ = 0;
};

// The same when it is known which parts of the boundary are on that side: these may be long, but
// have no points on the other one.
bool stays_near(const DistanceTo& own, DistanceTo& other, double limit,
                const solids::Overlay* overlay, int surface, Beyond beyond) {
  Containment near(own, other, limit, Beyond::either_side);
  const solids::PlacedSurface& faces = overlay->surface(surface);
  const solids::PartInside& part = overlay->part(surface);
  const bool is_inside = beyond == Beyond::inside;
  if (is_inside) {
    for (const std::int32_t face : part.whole_faces()) {
      if (!near.triangle_holds(faces.triangle(face))) return false;
    }
  } else {
    for (std::size_t i = 0; i < faces.rings().faces(); ++i) {
      const auto face = static_cast<std::int32_t>(i);
      if (part.is_outside(face) && !near.triangle_holds(faces.triangle(face))) return false;
    }
  }
  const solids::Pieces pieces =
      is_inside ? pieces_of_cut_faces(*overlay) : outside_of_cut_faces(*overlay);
  for (const auto& piece : pieces.pieces) {
    if (piece.surface != surface) continue;
    Triangle t;
    for (int k = 0; k < 3; ++k) std::copy_n(pieces.at(piece, k), 3, t.v[k]);
    if (!near.triangle_holds(t)) return false;
  }
  return true;
}

}  // namespace

bool stays_within(const DistanceTo& own, DistanceTo& other, double limit, Beyond beyond) {
  return Containment(own, other, limit, beyond).holds();
}

bool lies_within(DistanceTo& own, DistanceTo& other, double limit, const solids::Overlay* overlay,
                 int surface) {
  if (overlay) {
    if (!stays_near(own, other, limit, overlay, surface, Beyond::outside)) return false;
    // else there is room in it that is none of the other
    if (!stays_near(other, own, limit, overlay, 1 - surface, Beyond::inside)) return false;
  } else if (!stays_within(own, other, limit, Beyond::outside) ||
             !stays_within(other, own, limit, Beyond::inside)) {
    return false;
  }
  return for_each_core_point(own, limit,
                             [&](const double* point) { return !other.is_outside(point); });
}

}  // namespace impinge::depth
